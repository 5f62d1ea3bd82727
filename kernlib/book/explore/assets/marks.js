// Marks: curves, points and bars as paths, and the legend that names them.

const POINTS = {
  o: (x, y, r) => `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`,
  s: (x, y, r) => `M${x - r} ${y - r}h${2 * r}v${2 * r}h${-2 * r}z`,
  "^": (x, y, r) => `M${x} ${y - 1.3 * r}l${1.3 * r} ${2.2 * r}h${-2.6 * r}z`,
  D: (x, y, r) => `M${x} ${y - 1.4 * r}l${1.4 * r} ${1.4 * r}l${-1.4 * r} ${1.4 * r}l${-1.4 * r} ${-1.4 * r}z`,
};

function curve(series, x, y) {
  let path = "";
  let drawing = false;
  series.x.forEach((value, i) => {
    const drawable = x.drawable(value) && y.drawable(series.y[i]);
    // h0 makes a dot of a point that stands alone
    if (drawable) path += `${drawing ? "L" : "M"}${x.place(value)} ${y.place(series.y[i])}${drawing ? "" : "h0"}`;
    drawing = drawable;
  });
  return path;
}

function band(series, x, y) {
  const edge = (value) => y.place(Math.max(value, y.low)); // a band below a logarithmic axis ends at its foot
  const there = series.x
    .map((value, i) => i)
    .filter((i) => x.drawable(series.x[i]) && y.drawable(series.high[i]) && series.low[i] !== null);
  const up = there.map((i) => `${x.place(series.x[i])} ${y.place(series.high[i])}`);
  const down = there.reverse().map((i) => `${x.place(series.x[i])} ${edge(series.low[i])}`);
  return there.length ? `M${[...up, ...down].join("L")}z` : "";
}

// The places in pixels of the points that can be drawn, and their lower ends as they are.
const placed = (series, x, y) =>
  series.x
    .map((value, i) => [value, series.y[i], series.low?.[i]])
    .filter(([left, top]) => x.drawable(left) && y.drawable(top))
    .map(([left, top, low]) => [x.place(left), y.place(top), low]);
const path = (kind, d, more) => shape("path", { class: kind, d, ...more });

// The look of a line among the series of its plot: several of one style have different dashes, and a reference is gray
// if it is the only one.
function lineOf(all, number) {
  const { mark, style } = all[number];
  if (mark !== "line") return null;
  const { dashes, gray, ...line } = look.lines[style];
  const same = all.filter((one) => one.mark === mark && one.style === style);
  return { ...line, dashes: dashes[same.indexOf(all[number]) % dashes.length], gray: gray && same.length === 1 };
}

// One function for each mark: paths of a series with a number among others, on two axes, and the look of a line.
const MARKS = {
  line: (series, number, x, y, line) => [
    series.low && path("band", band(series, x, y), { opacity: look.band }),
    path("line", curve(series, x, y), pen(line)),
  ],
  dots: (series, number, x, y) => {
    const point = POINTS[look.points[number % look.points.length]];
    const d = placed(series, x, y).map(([left, top]) => point(left, top, look.dots[series.style]));
    return [path(`dots ${series.style}`, d.join(""))];
  },
  bars: (series, number, x, y) => {
    const places = placed(series, x, y);
    const lefts = places.map(([left]) => left).sort((a, b) => a - b);
    const gaps = lefts.slice(1).map((left, i) => left - lefts[i]);
    const width = look.bar * Math.min(...gaps.filter((gap) => gap > 0), 40);
    const zero = y.place(y.drawable(0) ? 0 : y.low);
    const d = places.map(([left, top, low]) => {
      const foot = low ? y.place(low) : zero;
      return `M${left - width / 2} ${foot}V${top}h${width}V${foot}z`;
    });
    return [path("bars", d.join(""))];
  },
  field: (series, number, x, y) => {
    if (series.palette !== "signed") return [];
    const levels = series.level ? [0, -series.level, series.level] : [0];
    return levels.map((level) => path("zero", levelLine(series, x, y, level), pen(level ? look.level : look.zero)));
  },
};

// The paths of a series of a plot, or of a sample of it.
function marks(all, number, x, y, series = all[number]) {
  const line = lineOf(all, number);
  const gray = line ? line.gray : series.style === "gray";
  return shape(
    "g",
    gray ? { class: "gray" } : tint(number),
    ...MARKS[series.mark](series, number, x, y, line).filter(Boolean),
  );
}

function legend(frame) {
  const named = frame.series.map((series, number) => ({ series, number })).filter(({ series }) => series.label && series.mark !== "field");
  if (!named.length) return null;
  // a sample of each series, drawn by the code that draws the series
  const here = { low: 0, drawable: () => true, place: (value) => value };
  return element(
    "ul",
    { class: "legend" },
    ...named.map(({ series, number }) => {
      const places = { line: { x: [1, 25], y: [7, 7] }, dots: { x: [13], y: [7] }, bars: { x: [13], y: [12] } };
      const sample = { ...series, ...places[series.mark], ...(series.low && { low: [2, 2], high: [12, 12] }) };
      const picture = shape(
        "svg",
        { width: 26, height: 14, "aria-hidden": "true" },
        marks(frame.series, number, here, here, sample),
      );
      return element("li", {}, picture, series.label);
    }),
  );
}

// Room for the first and the last bar, half of which would lie beyond the axis.
function barEdges(frame) {
  return frame.series
    .filter(({ mark, x }) => mark === "bars" && x.length > 1)
    .flatMap(({ x }) => {
      const half = (x[1] - x[0]) / 2;
      return [x[0] - half, x[x.length - 1] + half];
    });
}
