// What is wider than its column, formulas and code above all, scrolls in itself, by keys too; formulas.css shows that
// there is more to the right. Sizes are read when the browser has just computed them, of what is near the screen.
const SCROLLING = ".formula, article pre, .cell_output > .output, .pst-scrollable-table-container";

// Lines of an output with a gap of two blanks or more are a table: they keep their columns, and the others wrap.
const ROWS = /((?:^.*\S {2,}\S.*\n?)+)/m;
const keepColumns = (text) => {
  const table = (rows) => Object.assign(document.createElement("span"), { className: "columns", textContent: rows });
  const parts = text.data.split(ROWS); // the odd ones are tables
  if (parts.length > 1) text.replaceWith(...parts.map((part, i) => (i % 2 ? table(part) : part)));
};

document.addEventListener("DOMContentLoaded", () => {
  for (const pre of document.querySelectorAll(".cell_output pre"))
    for (const node of [...pre.childNodes]) if (node.nodeType === Node.TEXT_NODE) keepColumns(node);
  const isWide = (box) => box.scrollWidth > box.clientWidth + 1 || box.scrollHeight > box.clientHeight + 1;
  const hasMore = (box) => box.scrollLeft + box.clientWidth < box.scrollWidth - 2;
  const sizes = new ResizeObserver((entries) => {
    const read = entries.map(({ target }) => [target, isWide(target), hasMore(target)]); // first, or each write costs a layout
    for (const [box, wide, more] of read) {
      if (wide) box.tabIndex = 0;
      else box.removeAttribute("tabindex");
      box.classList.toggle("more", more);
    }
  });
  for (const box of document.querySelectorAll(SCROLLING)) {
    if (box.querySelector("kernlib-explorer")) continue; // it draws itself to the width, a moment after the box has it
    sizes.observe(box);
    box.addEventListener("scroll", () => box.classList.toggle("more", hasMore(box)), { passive: true });
  }
});
