// Where the reader was, and which chapters were read to their recap; the front page and the sidebar show both.

document.addEventListener("DOMContentLoaded", () => {
  const KEY = "kernbook-read";
  // last: {page, anchor, text}; done: {page: true}; read anew each time, as other windows add to it
  const known = () => JSON.parse(localStorage.getItem(KEY) || "{}");
  const root = new URL(document.documentElement.dataset.content_root, location.href).pathname;
  const pageOf = ({ pathname }) => pathname.slice(root.length).replace(/\.html$/, "");
  const page = pageOf(location);
  const keep = (change) => localStorage.setItem(KEY, JSON.stringify({ ...known(), ...change }));
  const textOf = (heading) => {
    const copy = heading.cloneNode(true);
    for (const part of copy.querySelectorAll(".headerlink, .katex-html, annotation")) part.remove();
    return copy.textContent.trim();
  };
  const mark = () => {
    const { done } = known();
    for (const link of document.querySelectorAll(".bd-sidenav a"))
      link.classList.toggle("read", Boolean(done?.[pageOf(link)]));
  };

  // A section is read when it crosses a line high on the screen.
  const recap = document.querySelector("article section#recap");
  const title = document.querySelector("article h1");
  const line = new IntersectionObserver(
    (entries) => {
      const section = entries.findLast(({ isIntersecting }) => isIntersecting)?.target;
      if (!section) return;
      const text = `${textOf(title)}, ${textOf(section.querySelector("h2"))}`;
      keep({ last: { page, anchor: section.id, text } });
    },
    { rootMargin: "-33% 0px -66% 0px" },
  );
  const end = new IntersectionObserver(([{ isIntersecting }]) => {
    if (!isIntersecting) return;
    keep({ done: { ...known().done, [page]: true } });
    mark();
  });
  if (recap && !document.documentElement.classList.contains("is-preview")) {
    for (const section of document.querySelectorAll("article > section > section")) line.observe(section);
    end.observe(recap.querySelector("h2"));
  }
  mark();

  const erase = document.querySelector("button.erase-progress"); // on the front page
  const { last } = known();
  if (!erase || !last) return;
  const link = document.createElement("a");
  link.href = `${root}${last.page}.html#${last.anchor}`;
  link.textContent = last.text;
  const goOn = document.createElement("p");
  goOn.className = "continue";
  goOn.append("Continue: ", link);
  title.after(goOn);
  erase.hidden = false;
  erase.addEventListener("click", () => {
    localStorage.setItem(KEY, "{}");
    goOn.remove();
    document.documentElement.classList.remove("continues");
    mark();
  });
});
