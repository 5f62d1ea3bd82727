// The other kinds of panel (heat map, table, readout), and the table of all kinds.

function heat(slot, panel, hands) {
  const canvas = element("canvas", { role: "img", "aria-label": panel.alt });
  const row = element("span", { class: "lit-row" }); // "row" is Bootstrap's
  const column = element("span", { class: "lit-column" });
  const matrix = element("div", { class: "matrix" }, canvas, panel.link && row, panel.link && column);
  let shown = "";
  if (panel.link) linkHeat(canvas, row, column, panel.link, hands);
  return (frame) => {
    const [rows, columns] = frame.shape;
    if (!(rows && columns)) return slot.replaceChildren();
    canvas.style.aspectRatio = `${columns} / ${rows}`;
    paint(canvas, frame, panel.palette || "heat");
    const scale = `${show(frame.low)} ${show(frame.high)}`;
    if (scale !== shown) {
      const colors = look[panel.palette || "heat"];
      const ramp = element("span", { class: "ramp", style: `--ramp: ${colors.map((stop) => `rgb(${stop})`)}` });
      slot.replaceChildren(matrix, element("p", { class: "scale" }, show(frame.low), ramp, show(frame.high)));
    }
    shown = scale;
  };
}

// Light a row and a column of a heat map for a point, and both points for a cell.
function linkHeat(canvas, row, column, link, hands) {
  hands.onLight(link, (lit) => {
    row.hidden = column.hidden = !lit.length;
    if (!lit.length) return;
    row.style.cssText = `top: ${(100 * lit[0]) / canvas.height}%; height: ${100 / canvas.height}%`;
    column.style.cssText = `left: ${(100 * lit[lit.length - 1]) / canvas.width}%; width: ${100 / canvas.width}%`;
  });
  row.hidden = column.hidden = true;
  canvas.addEventListener("pointermove", ({ offsetX, offsetY }) => {
    const place = (offset, length, n) => Math.min(n - 1, Math.max(0, Math.floor((offset / length) * n)));
    const i = place(offsetY, canvas.clientHeight, canvas.height);
    hands.light(link, [i, place(offsetX, canvas.clientWidth, canvas.width)]);
  });
  canvas.addEventListener("pointerleave", () => hands.light(link, []));
}

const table = (slot, panel) => (frame) => {
  const all = element("table", { "aria-label": panel.alt });
  if (frame.columns) {
    const names = frame.columns.map((name) => element("th", { scope: "col" }, name));
    all.append(element("thead", {}, element("tr", {}, frame.rows && element("td"), ...names)));
  }
  const lit = (frame.lit || []).map(String);
  const kindOf = (at) => `${at === `${frame.marked}` ? "marked" : ""} ${lit.includes(at) ? "lit" : ""}`;
  const body = frame.values.map((cells, i) =>
    element(
      "tr",
      {},
      frame.rows && element("th", { scope: "row" }, frame.rows[i]),
      ...cells.map((cell, j) => element("td", { class: kindOf(`${[i, j]}`) }, cell)),
    ),
  );
  all.append(element("tbody", {}, ...body));
  slot.replaceChildren(all);
};

function readout(slot) {
  const output = element("output"); // it stays, so that a screen reader speaks what changes
  slot.append(output);
  // A sentence that wraps once keeps its second line, so that the panels below do not jump.
  let tallest = [0, 0]; // for which width
  new ResizeObserver(([{ contentRect }]) => {
    const { width, height } = contentRect;
    if (width !== tallest[0]) slot.style.minHeight = "";
    else if (height > tallest[1]) slot.style.minHeight = `${height}px`;
    if (width !== tallest[0] || height > tallest[1]) tallest = [width, height];
  }).observe(output);
  return (frame) => (output.textContent = frame);
}

// A button that draws one of the points that are off, with probabilities proportional to the frame's weights.
function pick(slot, panel, hands) {
  const button = element("button", { type: "button", class: "quiet" }, panel.title);
  let weights = [];
  button.addEventListener("click", () => {
    const on = hands.value(panel.toggles);
    const open = weights.map((weight, i) => (on.includes(i) ? 0 : weight));
    let left = Math.random() * open.reduce((sum, weight) => sum + weight, 0);
    const drawn = open.findIndex((weight) => weight > 0 && (left -= weight) <= 0);
    if (drawn >= 0) hands.set(panel.toggles, [...on, drawn]);
  });
  slot.append(button);
  return (frame) => {
    weights = frame;
    button.disabled = !hands.enabled();
  };
}

// Buttons for answers: the right one moves a slider on, a wrong one gets its sentence. They keep the focus.
function answers(slot, panel, hands) {
  const question = element("p");
  const buttons = element("div", { class: "buttons", role: "group", "aria-label": panel.alt });
  const verdict = element("p", { class: "wrong", role: "status" });
  slot.append(question, buttons, verdict);
  const nodes = [0, 1, 2, 3].map((i) => {
    const button = element("button", { type: "button", class: "quiet" });
    button.addEventListener("click", () => {
      verdict.textContent = shown.why[i];
      if (!shown.why[i]) hands.setSliders({ [panel.slider]: hands.value(panel.slider) + 1 });
    });
    return button;
  });
  buttons.append(...nodes);
  let shown = null;
  return (frame) => {
    if (frame !== shown) verdict.textContent = "";
    shown = frame;
    question.textContent = frame.question;
    nodes.forEach((button, i) => {
      button.hidden = !(i in frame.answers);
      button.textContent = frame.answers[i];
      button.disabled = !hands.enabled();
    });
  };
}

// One function for each kind of panel. It gets the slot to draw in, the panel, and the hands, by which a picture sets
// controls; it gives draw(frame, { values, guess, hides, width, em, taller, abreast, isByHeat }).
const DRAW = { plot, heat, table, readout, pick, answers };
