// Computes the panels of kernlib/book/explorers/nystrom_boundary.py in the page.

// The last result of each method, because the readout needs it as well as a plot.
const kept = {};
function once(method, key, compute) {
  if (kept[method]?.key !== key) kept[method] = { key, f: compute() };
  return kept[method].f;
}

function exact({ gamma }, { points, labels, field, ...data }, numeric) {
  return once("exact", gamma, () => {
    const alpha = numeric.dualRidge(numeric.gaussian(points, points, gamma), labels, data.lambda);
    return numeric.times(numeric.gaussian(numeric.places(field), points, gamma), alpha);
  });
}

const everywhere = (data, numeric) => [...numeric.places(data.field), ...data.points];

// Ridge regression on the features of the rows, the last ones, evaluated on the plane.
function predict(features, { points, labels, ...data }, numeric) {
  const Z = features.slice(-points.length);
  const columns = numeric.transpose(Z);
  const A = numeric.addToDiagonal(numeric.multiply(columns, Z), points.length * data.lambda);
  return numeric.times(features.slice(0, -points.length), numeric.solve(A, numeric.times(columns, labels)));
}

function nystrom({ gamma, c, draw }, data, numeric) {
  return once("nystrom", [gamma, c, draw].join(), () => {
    const every = everywhere(data, numeric);
    const column = (pivot) => numeric.gaussian(every, [every[pivot]], gamma).map(([entry]) => entry);
    const pivots = data.landmarks[draw - 1].slice(0, c).map((i) => every.length - data.points.length + i);
    const { columns } = numeric.partialCholesky(column, every.map(() => 1), pivots, data.least);
    return predict(numeric.transpose(columns), data, numeric);
  });
}

function randomFeatures({ gamma, c, draw }, data, numeric) {
  return once("random features", [gamma, c, draw].join(), () => {
    const scale = Math.sqrt(2 * gamma);
    const frequencies = data.frequencies[draw - 1].map((row) => row.slice(0, c).map((w) => scale * w));
    const phases = data.phases[draw - 1].slice(0, c);
    return predict(numeric.phaseFeatures(everywhere(data, numeric), frequencies, phases), data, numeric);
  });
}

function dotsOf(points, style) {
  return { mark: "dots", x: points.map(([x]) => x), y: points.map(([, y]) => y), ...(style && { style }) };
}

function colored(f, { points, labels, field }, numeric) {
  const own = (label) => dotsOf(points.filter((_, i) => labels[i] === label));
  const { x, y, columns } = field;
  return {
    circles: own(1),
    squares: own(-1),
    f: { mark: "field", values: numeric.inRows(f, columns), x, y, limits: [-1, 1], palette: "signed" },
  };
}

function all_rows(values, data, numeric) {
  return colored(exact(values, data, numeric), data, numeric);
}

function some_rows(values, data, numeric) {
  const landmarks = data.landmarks[values.draw - 1].slice(0, values.c).map((i) => data.points[i]);
  return { ...colored(nystrom(values, data, numeric), data, numeric), landmarks: dotsOf(landmarks, "large") };
}

function cosines(values, data, numeric) {
  return colored(randomFeatures(values, data, numeric), data, numeric);
}

function summary(values, data, numeric) {
  const truth = exact(values, data, numeric);
  const share = (f) => `${((100 * f.filter((value, i) => value > 0 === truth[i] > 0).length) / f.length).toFixed(0)}%`;
  const n = data.points.length;
  const [near, random] = [nystrom, randomFeatures].map((method) => share(method(values, data, numeric)));
  const count = (number) => number.toLocaleString("en-US");
  return (
    `All rows: ${count(n * n)} values of the kernel. Nyström: ${count(n * values.c)} of them, and ${near} of the plane ` +
    `has the same color. Random features: ${count(n * values.c)} cosines, and ${random} has the same color.`
  );
}
