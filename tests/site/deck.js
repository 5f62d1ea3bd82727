// What a look at all slides of a deck finds: each slide's kind, words, notes and seconds, and what does not fit it.
async (smallest) => {
  const faults = [];
  const look = (content, slide) => {
    const zoom = content.style.getPropertyValue("--zoom");
    const note = (is, fault) => is && faults.push(`${slide}: ${fault}`);
    const width = (part) => part.getBoundingClientRect().width;
    const all = (selector) => [...content.querySelectorAll(selector)];
    note(overflows(content), "overflows");
    note(!all("kernlib-explorer").length && 16 * zoom < smallest - 1, `text of ${16 * zoom} pixels`);
    note(all(".question input[type='range']").some((input) => width(input) < 200), "narrow slider");
    note(all(".panels:has(> :nth-child(3))").some((panels) => width(panels) < 1190), "narrow panels");
    const size = (one) => zoom * parseFloat(getComputedStyle(one).fontSize);
    const words = all(":is(.ready > div) :is(text, p, li, legend, label, small, output, button, td)");
    const fits = (one) => one.matches("text[style]"); // the name of an axis or a bar may be smaller
    const small = words.filter((one) => size(one) < (fits(one) ? 12 : smallest - 0.1));
    note(small.length, `small words: ${small[0]?.textContent}`);
    for (const image of all("figure:not(.plain) img"))
      note(image.naturalWidth && image.getBoundingClientRect().height < 150, "tiny figure");
  };
  const slides = [...document.querySelectorAll(".slides > section")].map((section) => ({
    kind: section.classList[0],
    words: section.querySelector(".content").textContent.trim().split(/\s+/).length,
    notes: section.querySelector("aside.notes").textContent.trim(),
    seconds: Number(section.dataset.timing),
  }));
  for (let i = 0; i < Reveal.getTotalSlides(); i++) {
    Reveal.slide(i);
    await frame();
    const content = Reveal.getCurrentSlide().querySelector(".content");
    look(content, `slide ${i + 1}`);
    const skip = content.querySelector(".question .buttons > .quiet");
    if (!skip) continue;
    const option = content.querySelector(".question input[type='radio']");
    option?.click(); // an answer with its reason takes more room than a skipped question
    (option ? skip.previousElementSibling : skip).click();
    await frame();
    for (let wait = 0; wait < 40 && overflows(content); wait++) await frame();
    look(content, `slide ${i + 1}, answered`);
  }
  return { slides, faults };
}
