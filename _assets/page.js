// What a page does beside its explorers: all proofs at once, the quiz's memory, old anchors, printing.

// Print waits for no font: those of formulas that are folded, or far from the screen, come when all else is there
// and the first frame is painted.
const FONTS = [
  ["1em KaTeX_AMS", ".mathbb, .amsrm"],
  ["1em KaTeX_Caligraphic", ".mathcal"],
  ["bold 1em KaTeX_Main", ".mathbf"],
  ["1em KaTeX_Main", ".katex-html"],
  ["italic 1em KaTeX_Math", ".mathnormal"],
  ["1em KaTeX_Size1", ".small-op, .delimsizing.size1, .delim-size1"],
  ["1em KaTeX_Size2", ".large-op, .delimsizing.size2"],
  ["1em KaTeX_Size3", ".delimsizing.size3"],
  ["1em KaTeX_Size4", ".delimsizing.size4, .delim-size4"],
  ["1em KaTeX_Typewriter", ".mathtt, .texttt"],
];
addEventListener("load", () => {
  const load = (font, where) => document.querySelector(`.katex :is(${where})`) && document.fonts.load(font);
  requestAnimationFrame(() => FONTS.forEach((one) => setTimeout(load, 0, ...one))); // a key may come in between
});

// An anchor; one that the address names, written by hand, may hold a % that begins no code.
const decoded = (anchor) => {
  try {
    return decodeURIComponent(anchor);
  } catch {
    return anchor;
  }
};
const named = () => decoded(location.hash.slice(1));

// Where a link or the address leads. What was far from the screen had a guessed size (content-visibility), so a jump
// misses until what is near has its own: the section and the one above it at once, the rest in some frames, in which
// this goes there again, unless the reader does something.
const land = (hash) => {
  const anchor = decoded(hash.slice(1));
  const [name] = anchor.split(":"); // of a state, the explorer's name
  const explorer = name && document.querySelector(`kernlib-explorer[data-name="${CSS.escape(name)}"]`);
  const target = document.getElementById(anchor) || explorer;
  if (!target) return;
  const section = target.closest(".bd-article > section > section");
  for (const near of [section, section?.previousElementSibling]) near?.classList.add("near");
  let frames = 20;
  const stop = () => (frames = 0);
  for (const act of ["wheel", "touchstart", "pointerdown", "keydown"]) {
    addEventListener(act, stop, { once: true, passive: true });
  }
  const step = () => {
    if (frames <= 0) return;
    target.scrollIntoView();
    frames -= document.readyState === "complete"; // what comes late may move it too
    requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
};
addEventListener("click", (event) => {
  const link = event.target.closest?.("a[href*='#']");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  if (link.href.split("#")[0] === location.href.split("#")[0]) land(link.hash);
});

document.addEventListener("DOMContentLoaded", () => {
  // What moved to another page of the chapter is found there.
  const moved = document.getElementById("moved");
  const anchor = named();
  const [which] = /^[a-z][a-z0-9-]*:/.exec(anchor) || [anchor]; // of a state, the explorer's name and a colon
  const place = moved && !document.getElementById(anchor) && JSON.parse(moved.textContent)[which];
  if (place) location.replace(place + location.hash);

  const proofs = document.querySelectorAll("details.folded-proof");

  // One switch for all proofs of the book; it says what a press does.
  const button = document.querySelector("button.open-proofs");
  if (button) {
    const closes = () => [...proofs].every((proof) => proof.open);
    const name = () => (button.textContent = closes() ? "Close all proofs" : "Open all proofs");
    const set = (open) => {
      for (const proof of proofs) proof.open = open;
      name();
    };
    button.addEventListener("click", () => {
      const open = !closes();
      localStorage.setItem("kernbook-proofs", open ? "open" : "");
      set(open);
    });
    for (const proof of proofs) proof.addEventListener("toggle", name);
    if (localStorage.getItem("kernbook-proofs") === "open") set(true);
  }

  // Paper shows proofs, and explorers that ask nothing rather than their plain figures; solutions and explanations stay as they are.
  let closed = [];
  addEventListener("beforeprint", () => {
    for (const explorer of document.querySelectorAll("kernlib-explorer")) explorer.begin?.();
    closed = [...proofs].filter((proof) => !proof.open);
    for (const proof of closed) proof.open = true;
  });
  addEventListener("afterprint", () => {
    for (const proof of closed) proof.open = false;
  });

  // An anchor inside something folded opens it.
  const reveal = () => {
    const target = document.getElementById(named());
    for (let fold = target?.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
    if (target?.closest("details")) target.scrollIntoView();
  };
  addEventListener("hashchange", reveal);
  reveal();
  if (performance.getEntriesByType("navigation")[0]?.type === "navigate") land(location.hash); // else where it stood

  // The quiz: the option that was opened first counts.
  const page = document.querySelector("[data-quiz-page]")?.dataset.quizPage;
  const quizzes = [...document.querySelectorAll(".quiz")];
  const known = () => JSON.parse(localStorage.getItem("kernbook-quiz") || "{}"); // other windows add to it
  const score = document.querySelector(".quiz-score");
  const tell = () => {
    const given = Object.values(known()[page] || {});
    if (score && given.length) {
      const right = given.filter(Boolean).length;
      score.textContent = `${right} of ${given.length} right at the first try${given.length < quizzes.length ? ", so far" : ""}.`;
    }
  };
  quizzes.forEach((quiz, number) => {
    for (const option of quiz.querySelectorAll("details.option")) {
      option.addEventListener("toggle", () => {
        if (!option.open) return;
        const answers = known();
        (answers[page] ??= {})[number] ??= option.classList.contains("right");
        localStorage.setItem("kernbook-quiz", JSON.stringify(answers));
        tell();
      });
    }
  });
  tell();

  // The map shows what was answered.
  for (const place of document.querySelectorAll("[data-quiz-of]")) {
    const given = Object.values(known()[place.dataset.quizOf] || {});
    if (given.length) place.textContent = `${given.filter(Boolean).length} of ${given.length} right`;
  }
  const erase = document.querySelector("button.erase-progress");
  if (erase) {
    erase.hidden = !Object.keys(known()).length;
    erase.addEventListener("click", () => {
      localStorage.setItem("kernbook-quiz", "{}");
      for (const place of document.querySelectorAll("[data-quiz-of]")) place.textContent = "";
      erase.hidden = true;
    });
  }
});
