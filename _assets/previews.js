// Point at a link to a theorem, an equation or a citation, or tab to it, and see what it leads to.
// Pages from a file may not read each other, but may frame each other: another page shows itself in a frame.

if (new URLSearchParams(location.search).has("preview")) {
  document.documentElement.classList.add("is-preview"); // page.css leaves the article alone
} else if (matchMedia("(hover: hover)").matches) {
  const DELAY = 450; // milliseconds: whoever passes by doesn't ask
  const LINKS = "article a.reference.internal[href*='#']:not(.explorer-state, .headerlink)";
  let box = null;
  let timer = 0;

  const close = () => {
    clearTimeout(timer);
    box?.remove();
    box = null;
  };

  // What an anchor of this page stands for: the box, figure or formula around it, or the start of a section.
  const here = (anchor) => {
    const target = document.getElementById(anchor);
    const block = target?.closest(".admonition, figure, div.math, dl, .citation") ?? target;
    const copy = document.createElement("div");
    for (const part of block?.matches("section") ? [...block.children].slice(0, 3) : [block]) {
      if (part) copy.append(part.cloneNode(true));
    }
    for (const part of copy.querySelectorAll("[id], button, .headerlink")) {
      if (part.matches("button, .headerlink")) part.remove();
      else part.removeAttribute("id");
    }
    return copy;
  };

  const there = (link) => {
    const frame = document.createElement("iframe");
    const address = new URL(link.href);
    address.search = "?preview";
    frame.src = address;
    frame.title = `Preview of ${link.textContent}`;
    frame.tabIndex = -1;
    return frame;
  };

  const open = (link) => {
    close();
    const address = new URL(link.href);
    box = document.createElement("div");
    box.className = "preview";
    box.append(address.pathname === location.pathname ? here(decodeURIComponent(address.hash.slice(1))) : there(link));
    box.addEventListener("mouseleave", close);
    link.closest("article").append(box);
    const at = link.getBoundingClientRect();
    const below = at.bottom + box.offsetHeight < innerHeight;
    box.style.left = `${Math.max(8, Math.min(at.left, innerWidth - box.offsetWidth - 8))}px`;
    box.style.top = `${below ? at.bottom : Math.max(8, at.top - box.offsetHeight)}px`;
  };

  const ask = (event) => {
    const link = event.target.closest?.(LINKS);
    if (!link) return;
    clearTimeout(timer);
    timer = setTimeout(open, DELAY, link);
  };
  const leave = (event) => {
    if (!event.target.closest?.(LINKS)) return;
    clearTimeout(timer);
    if (!box?.contains(event.relatedTarget)) close();
  };
  document.addEventListener("mouseover", ask);
  document.addEventListener("mouseout", leave);
  document.addEventListener("focusin", (event) => event.target.matches(":focus-visible") && ask(event));
  document.addEventListener("focusout", leave);
  document.addEventListener("keydown", (event) => event.key === "Escape" && close());
  addEventListener("scroll", close, { passive: true });
}
