// A plot: the place of everything, its axes, and what is drawn between them.

// A plot with equal units and limits on both axes is as high as they say, within bounds, which are lower where panels
// take several rows: all of them are to be seen at once. In a row with a heat map, which is often a square, others are
// nearly one. Larger text makes it higher, as does a slide with room.
function heightOf({ x, y, equal }, { width, em, taller, isByHeat, manyPanels, manyPlots }, margins) {
  const share = equal && x.limits && y.limits && (y.limits[1] - y.limits[0]) / (x.limits[1] - x.limits[0]);
  const free = isByHeat ? 0.9 * width : Math.min(manyPanels ? 240 : 300, 0.68 * width);
  const wanted = share ? share * (width - 42) + margins / em : free;
  const height = Math.min(manyPanels && manyPlots ? 280 : 420, Math.max(200, wanted)) + margins * (1 - 1 / em);
  return Math.round(Math.max(height, Math.min(height + taller, 0.9 * width)));
}

// Where everything of a plot lies: a function of what is drawn, of the cursors and of the room for it. Plots that stand
// abreast (this one is among them) have one height, and their axes lie on one line. `em` is 1 for text of 13 pixels.
function geometry(panel, frame, values, guess, { abreast, marker, hides, ...room }) {
  const { width, em } = room;
  const bottom = Math.round(em * (abreast.some(({ x }) => x.label || x.names?.length) ? 44 : 26));
  const isAsked = abreast.some(({ cursor }) => marker && cursor === marker); // above it is room for a name of the guess
  const [top, right] = [Math.round(em * ((abreast.some(({ y }) => y.label) ? 26 : 10) + (isAsked ? 14 : 0))), 14];
  const height = Math.max(...abreast.map((one) => heightOf(one, room, top + bottom)));
  const every = (key, drawn = frame.series) => drawn.flatMap((series) => series[key] || []);
  const seen = frame.series.filter(({ label }) => !hides(label)); // numbers fitted to a hidden curve would give it away
  const ys = ["y", "low", "high"].flatMap((key) => every(key, seen));
  const bars = frame.series.some((series) => series.mark === "bars");
  const inner = height - top - bottom;
  const [rows, columns] = [inner / 40 / em, (length) => length / 65 / em];
  let y = axis(ys, panel.y, inner, 0, rows, bars);
  if (!ys.length && !panel.y.limits) y.ticks = [];
  const left = 14 + Math.round(7 * em * Math.max(...y.ticks.map((tick) => y.tickText(tick).length), 1));
  const across = Math.max(10, width - left - right);
  let cursors = panel.cursor === null ? [] : [["cursor", values[panel.cursor]]];
  if (guess && guess.name === panel.cursor) cursors.push(["guess", guess.value]);
  const xs = [...every("x"), ...cursors.map(([, value]) => value)];
  if (bars) xs.push(...barEdges(frame));
  let x = axis(xs, panel.x, 0, across, columns(across));
  cursors = cursors.filter(([, value]) => x.drawable(value));
  if (panel.equal) {
    const unit = Math.max((x.high - x.low) / across, (y.high - y.low) / inner);
    x = axis(xs, { limits: widened(x, unit * across) }, 0, across, columns(across));
    y = axis(ys, { limits: widened(y, unit * inner) }, inner, 0, rows);
  }
  if (panel.equal && !panel.x.label && !panel.y.label) x.ticks = y.ticks = []; // an image
  if (panel.x.names?.length) x.ticks = panel.x.names.map((name, i) => i);
  return { x, y, cursors, width, height, left, top, across, inner, em };
}

// The size of so many letters where the room is short.
const fitted = (letters, room) => ({ style: `font-size: min(1em, ${Math.floor(room / (letters || 1) / 0.053) / 10}px)` });

// All of a plot that stays while its axes do; `inside`, an svg that cuts off what lies beyond them, holds the rest.
function axesOf(panel, { x, y, width, height, left, top, across, inner, em }) {
  const names = panel.x.names || [];
  const longest = 1 + Math.max(...names.map((name) => name.length)); // and a gap
  const isTight = !panel.x.label && across / names.length / longest < 5.8 * em; // then every other one is a line lower
  const grid = shape("g", { class: "grid" });
  const text = shape("g", { class: "ticks" });
  for (const tick of x.ticks) {
    const place = left + x.place(tick);
    grid.append(shape("path", { d: `M${place} ${top}v${inner}` }));
    const below = { x: place, y: top + inner + 4 + 13 * em, "text-anchor": "middle" };
    const size = names.length && fitted(longest, ((isTight ? 2 : 1) * across) / names.length);
    if (isTight && tick % 2) below.y += 15 * em;
    text.append(shape("text", { ...below, ...size }, names[tick] ?? x.tickText(tick)));
  }
  for (const tick of y.ticks) {
    const place = top + y.place(tick);
    grid.append(shape("path", { d: `M${left} ${place}h${across}` }));
    text.append(shape("text", { x: left - 6, y: place + 4 * em, "text-anchor": "end" }, y.tickText(tick)));
  }
  const inside = shape("svg", { x: left, y: top, width: across, height: inner });
  const frameLines = shape("path", { class: "axes", d: `M${left} ${top}v${inner}h${across}` });
  const half = Math.min(width / 2, 3.45 * em * panel.x.label.length);
  const middle = { x: clamped([half, width - half], left + across / 2), y: height - 6, "text-anchor": "middle" };
  const labels = shape(
    "g",
    { class: "names" },
    shape("text", { x: 2, y: 14 * em, ...fitted(panel.y.label.length, width) }, panel.y.label),
    shape("text", { ...middle, ...fitted(panel.x.label.length, width) }, panel.x.label),
  );
  const box = { width, height, viewBox: `0 0 ${width} ${height}` }; // print makes it narrower
  const guess = shape("g", { class: "guess-label" });
  return { inside, guess, box, parts: [grid, frameLines, inside, text, labels, guess] };
}

// Put the field of a plot, if it has one, on a canvas behind the axes.
function drawField(canvas, field, { x, y, width, height, left, top }) {
  const [low, high] = field.x.map((value) => left + x.place(value));
  const [bottom, above] = field.y.map((value) => top + y.place(value));
  const share = (length, whole) => `${(100 * length) / whole}%`;
  canvas.style.left = share(low, width);
  canvas.style.width = share(high - low, width);
  canvas.style.top = share(above, height);
  canvas.style.height = share(bottom - above, height);
  paint(canvas, field, field.palette, true);
}

// Above the line of the guess.
const guessLabel = (place, { left, top, across, em }) =>
  shape("text", { x: left + clamped([36 * em, across - 36 * em], place), y: top - 5, "text-anchor": "middle" }, "your guess");

const pathsIn = (inside) => [...inside.querySelectorAll("path")];

// Let each path come from the place of the old one, if it has as many points.
function moveFrom(before, after) {
  const commands = (d) => d.replace(/[^a-z]/gi, "");
  after.forEach((path, i) => {
    const [from, to] = [before[i], path].map((one) => one?.getAttribute("d") || "");
    if (from === to || commands(from) !== commands(to)) return;
    path.animate({ d: [`path("${from}")`, `path("${to}")`] }, { duration: 180, easing: "ease-out" });
  });
}

// Legend and axes are made anew only where they are others; a move that leaves them costs the curves alone.
function plot(slot, panel, hands) {
  const named = element("div");
  const canvas = element("canvas", { class: "field", hidden: true });
  const role = panel.handles || panel.toggles ? "group" : "img"; // what an image holds is not spoken
  const picture = shape("svg", { role, "aria-label": panel.alt });
  const stage = element("div", { class: "stage" }, canvas, picture);
  slot.append(named, stage);
  let [names, frameOf, there, now] = [];
  const current = () => now;
  const grips = [
    panel.cursor !== null && cursorOf(panel, current, hands),
    panel.drag && gripOf(panel, current, hands),
    panel.toggles && togglesOf(panel, current, hands),
    panel.handles && handlesOf(panel, current, hands),
  ].filter(Boolean);
  return (frame, { values, guess, hides, ...room }) => {
    if (!room.width) return; // not on screen yet
    now = geometry(panel, frame, values, guess, { hides, ...hands, ...room });
    const { x, y, cursors, across, inner } = now;
    const wanted = JSON.stringify(frame.series.map(({ label, mark, style, low }) => [label, mark, style, !low]));
    if (wanted !== names) named.replaceChildren(...[legend(frame)].filter(Boolean));
    names = wanted;
    const axes = JSON.stringify([x.low, x.high, y.low, y.high, y.ticks.length, across, inner, now.em]);
    if (axes !== frameOf) {
      const focused = document.activeElement;
      there = axesOf(panel, now);
      picture.replaceChildren();
      fill(picture, there.box, [...there.parts, ...grips.flatMap(({ nodes }) => nodes)]);
      if (picture.contains(focused)) focused.focus({ preventScroll: true });
    }
    frameOf = axes;
    const field = frame.series.find(({ mark }) => mark === "field");
    canvas.hidden = !field || hides(field.label);
    picture.setAttribute("aria-label", hides() ? panel.title : panel.alt); // which may tell the answer
    if (field) drawField(canvas, field, now);
    const switched = panel.toggles && frame.series.find(({ mark }) => mark === "dots");
    const curves = frame.series.map(
      (series, number) => series !== switched && !hides(series.label) && marks(frame.series, number, x, y),
    );
    // until the question is answered the guess alone stands on the scale on which it is asked for
    const marked = cursors.filter(([kind]) => kind === "guess" || hands.enabled() || panel.cursor !== hands.marker);
    const before = hands.eases() ? pathsIn(there.inside) : [];
    there.inside.replaceChildren(
      ...curves.filter(Boolean),
      ...marked.map(([kind, value]) => path(kind, `M${x.place(value)} 0V${inner}`, pen(look[kind]))),
    );
    there.guess.replaceChildren(
      ...marked.filter(([kind]) => kind === "guess").map(([, value]) => guessLabel(x.place(value), now)),
    );
    if (before.length) moveFrom(before, pathsIn(there.inside));
    for (const grip of grips) grip.place(now, switched);
  };
}
