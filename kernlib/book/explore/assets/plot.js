// A plot: the place of everything, its axes, and what is drawn between them.

// Where everything of a plot lies: a function of what is drawn, of the cursors and of the width.
function geometry(panel, frame, values, guess, width) {
  const height = Math.round(Math.min(300, Math.max(200, 0.68 * width)));
  const every = (key) => frame.series.flatMap((series) => series[key] || []);
  const ys = [...every("y"), ...every("low"), ...every("high")];
  const bars = frame.series.some((series) => series.mark === "bars");
  const bottom = panel.x.label ? 44 : 26;
  const [top, right] = [panel.y.label ? 26 : 10, 14];
  const inner = height - top - bottom;
  let y = axis(ys, panel.y, inner, 0, inner / 40, bars);
  const left = 14 + 7 * Math.max(...y.ticks.map((tick) => tickText(tick).length), 1);
  const across = Math.max(10, width - left - right);
  let cursors = panel.cursor === null ? [] : [["cursor", values[panel.cursor]]];
  if (guess && guess.name === panel.cursor) cursors.push(["guess", guess.value]);
  const xs = [...every("x"), ...cursors.map(([, value]) => value)];
  if (bars) xs.push(...barEdges(frame));
  let x = axis(xs, panel.x, 0, across, across / 65);
  cursors = cursors.filter(([, value]) => x.drawable(value));
  if (panel.equal) {
    const unit = Math.max((x.high - x.low) / across, (y.high - y.low) / inner);
    x = axis(xs, { limits: widened(x, unit * across) }, 0, across, across / 65);
    y = axis(ys, { limits: widened(y, unit * inner) }, inner, 0, inner / 40);
  }
  return { x, y, cursors, width, height, left, top, across, inner };
}

// All of a plot that stays while its axes do; `inside`, an svg that cuts off what lies beyond them, holds the rest.
function axesOf(panel, { x, y, width, height, left, top, across, inner }) {
  const grid = shape("g", { class: "grid" });
  const text = shape("g", { class: "ticks" });
  for (const tick of x.ticks) {
    const place = left + x.place(tick);
    grid.append(shape("path", { d: `M${place} ${top}v${inner}` }));
    text.append(shape("text", { x: place, y: top + inner + 17, "text-anchor": "middle" }, tickText(tick)));
  }
  for (const tick of y.ticks) {
    const place = top + y.place(tick);
    grid.append(shape("path", { d: `M${left} ${place}h${across}` }));
    text.append(shape("text", { x: left - 6, y: place + 4, "text-anchor": "end" }, tickText(tick)));
  }
  const inside = shape("svg", { x: left, y: top, width: across, height: inner });
  const frameLines = shape("path", { class: "axes", d: `M${left} ${top}v${inner}h${across}` });
  const names = shape(
    "g",
    { class: "names" },
    shape("text", { x: 2, y: 14 }, panel.y.label),
    shape("text", { x: left + across / 2, y: height - 6, "text-anchor": "middle" }, panel.x.label),
  );
  const box = { width, height, viewBox: `0 0 ${width} ${height}` }; // print makes it narrower
  const picture = shape(
    "svg",
    { ...box, role: "img", "aria-label": panel.alt },
    grid,
    frameLines,
    inside,
    text,
    names,
  );
  return { inside, picture };
}

// Legend and axes are made anew only where they are others; a move that leaves them costs the curves alone.
function plot(slot, panel, dragged) {
  const named = element("div");
  let [names, frameOf, there, now] = [];
  const grip = panel.drag && gripOf(panel, () => now, dragged);
  return (frame, { values, guess, veiled, width }) => {
    if (!width) return; // not on screen yet
    now = geometry(panel, frame, values, guess, width);
    const { x, y, cursors, across, inner, left, top } = now;
    const wanted = JSON.stringify(frame.series.map(({ label, mark, style, low }) => [label, mark, style, !low]));
    if (wanted !== names) named.replaceChildren(...[legend(frame)].filter(Boolean));
    names = wanted;
    const axes = JSON.stringify([x.low, x.high, y.low, y.high, across, inner]);
    if (axes !== frameOf) {
      there = axesOf(panel, now);
      slot.replaceChildren(named, there.picture);
      if (grip) there.picture.append(grip);
    }
    frameOf = axes;
    const curves = frame.series.map((series, number) => marks(series, number, x, y));
    there.inside.replaceChildren(
      ...(veiled ? [shape("g", { class: "veiled" }, ...curves)] : curves),
      ...cursors.map(([kind, value]) => path(kind, `M${x.place(value)} 0V${inner}`, pen(look[kind]))),
    );
    if (grip) {
      const [across_, up] = panel.drag.map((name) => values[name]);
      fill(grip, { cx: left + x.place(across_), cy: top + y.place(up) }, []);
    }
  };
}
