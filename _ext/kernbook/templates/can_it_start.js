// Say above a notebook what of Python cannot be had: its cells would wait, or fail, without a reason.
(async () => {
  const FILES = /* name: address */ {};
  const PATIENCE = 4000; // milliseconds without an answer
  const book = new URL("../../", location.href);
  const bar = document.createElement("p");
  bar.id = "can-it-start";
  bar.setAttribute("role", "alert");
  Object.assign(bar.style, {
    position: "fixed", inset: "auto 0 0", zIndex: 9999, margin: 0, padding: "0.75rem 1rem",
    font: "1rem/1.5 system-ui, sans-serif", background: "#7a1f1f", color: "#fff",
  });
  function say(words) {
    bar.textContent = words;
    document.body.append(bar);
  }
  async function isMissing(name) {
    try {
      const answer = await fetch(new URL(FILES[name], book), { cache: "force-cache" });
      await answer.body?.cancel();
      return !answer.ok;
    } catch {
      return true;
    }
  }
  const names = Object.keys(FILES).sort();
  const late = setTimeout(say, PATIENCE, "Python is still on its way, and the network is slow. Cells wait for it.");
  const answers = await Promise.all(names.map(isMissing));
  clearTimeout(late);
  bar.remove();
  const missing = names.filter((_, at) => answers[at]);
  const core = missing.filter((name) => /\.(mjs|wasm|zip)$/.test(name));
  const advice = "Check the network, then reload this page.";
  if (core.length) {
    say(`Python cannot start, and no cell will run: ${core.join(", ")} cannot be fetched. ${advice}`);
  } else if (missing.length) {
    say(`Cells that need ${missing.join(", ")} will fail, or none will run: they cannot be fetched. ${advice}`);
  }
})();
