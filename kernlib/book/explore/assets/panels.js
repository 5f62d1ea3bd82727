// The other kinds of panel (heat map, table, readout), and the table of all kinds.

function color(byte) {
  const stops = look.heat;
  const position = (byte / (look.hidden - 1)) * (stops.length - 1);
  const i = Math.min(Math.floor(position), stops.length - 2);
  return stops[i].map((from, channel) => from + (position - i) * (stops[i + 1][channel] - from));
}

const heat = (slot, panel) => (frame) => {
  const [rows, columns] = frame.shape;
  if (!(rows && columns)) return slot.replaceChildren();
  const canvas = element("canvas", { width: columns, height: rows, role: "img", "aria-label": panel.alt });
  const pixels = new ImageData(columns, rows);
  const cells = atob(frame.cells);
  for (let i = 0; i < cells.length; i++) {
    const byte = cells.charCodeAt(i);
    pixels.data.set(byte === look.hidden ? [0, 0, 0, 0] : [...color(byte), 255], 4 * i);
  }
  canvas.getContext("2d").putImageData(pixels, 0, 0);
  const scale = element(
    "p",
    { class: "scale" },
    show(frame.low),
    element("span", { class: "ramp", style: `--ramp: ${look.heat.map((stop) => `rgb(${stop})`)}` }),
    show(frame.high),
  );
  slot.replaceChildren(canvas, scale);
};

const table = (slot, panel) => (frame) => {
  const all = element("table", { "aria-label": panel.alt });
  if (frame.columns) {
    const names = frame.columns.map((name) => element("th", { scope: "col" }, name));
    all.append(element("thead", {}, element("tr", {}, frame.rows && element("td"), ...names)));
  }
  const [row, column] = frame.marked || [];
  const body = frame.values.map((cells, i) =>
    element(
      "tr",
      {},
      frame.rows && element("th", { scope: "row" }, frame.rows[i]),
      ...cells.map((cell, j) => element("td", { class: i === row && j === column && "marked" }, cell)),
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

// One function for each kind of panel. It gets the slot to draw in, the panel, and what to call with the values that
// a hand in the picture asks for; it gives draw(frame, { values, guess, veiled, width }).
const DRAW = { plot, heat, table, readout };
