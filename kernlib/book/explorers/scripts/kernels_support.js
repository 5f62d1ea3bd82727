// Computes the panels of kernlib/book/explorers/kernels_support.py in the page.

// The weights α, two of them a step, and the ends of the optimal b.
function solve(points, gamma, C, { labels, near, most }, numeric) {
  const G = numeric.gaussian(points, points, gamma);
  const alpha = labels.map(() => 0);
  const left = [...labels];
  const open = (k, sign) => (labels[k] === sign ? alpha[k] < C : alpha[k] > 0);
  const room = (k, sign) => (labels[k] === sign ? C - alpha[k] : alpha[k]);
  for (let steps = 0; ; steps++) {
    let [i, least] = [-1, Infinity];
    left.forEach((value, k) => {
      if (open(k, 1) && (i < 0 || value > left[i])) i = k;
      if (open(k, -1)) least = Math.min(least, value);
    });
    if (left[i] - least < near || steps === most) return { alpha, low: left[i], high: least };
    let [j, best, curvature] = [-1, 0, 0];
    left.forEach((value, k) => {
      const [gain, own] = [left[i] - value, Math.max(2 - 2 * G[i][k], 1e-12)];
      if (open(k, -1) && gain > 0 && gain ** 2 / own > best) [j, best, curvature] = [k, gain ** 2 / own, own];
    });
    const step = Math.min((left[i] - left[j]) / curvature, room(i, 1), room(j, -1));
    for (const [k, sign] of [[i, 1], [j, -1]])
      alpha[k] = Math.min(C, Math.max(0, alpha[k] + sign * labels[k] * step));
    G[i].forEach((entry, k) => (left[k] -= step * (entry - G[j][k])));
  }
}

// The machines of these points at each C, kept, because several panels need them.
let keptFor = {};
function machine({ points, gamma, C }, data, numeric) {
  if (keptFor.points !== points || keptFor.gamma !== gamma) keptFor = { points, gamma, found: new Map() };
  if (!keptFor.found.has(C)) keptFor.found.set(C, solve(points, gamma, C, data, numeric));
  return keptFor.found.get(C);
}

function decisionAt(places, values, data, numeric) {
  const { alpha, low, high } = machine(values, data, numeric);
  const votes = alpha.map((weight, i) => weight * data.labels[i]);
  return numeric.times(numeric.gaussian(places, values.points, values.gamma), votes).map(
    (value) => value + (low + high) / 2,
  );
}

function byClass(x, y, { labels }) {
  const own = (all, label) => all.filter((_, i) => labels[i] === label);
  const dots = (label) => ({ mark: "dots", x: own(x, label), y: own(y, label), style: "large" });
  return { "circles, y = 1": dots(1), "squares, y = −1": dots(-1) };
}

function plane(values, data, numeric) {
  const { x, y, columns } = data.field;
  const f = decisionAt(numeric.places(data.field), values, data, numeric);
  const most = Math.max(data.faint, ...f.map(Math.abs));
  const [across, up] = numeric.transpose(values.points);
  const { alpha } = machine(values, data, numeric);
  const radii = alpha.map((weight) => (weight > 0 ? 0.22 + (0.16 * weight) / values.C : NaN));
  const angles = [...Array.from({ length: 25 }, (_, k) => (k * Math.PI) / 12), NaN]; // a gap after each ring
  const rings = (middles, wave) => middles.flatMap((middle, i) => angles.map((angle) => middle + radii[i] * wave(angle)));
  return {
    ...byClass(across, up, data),
    "support vectors (rings, larger for a larger α)": { mark: "line", x: rings(across, Math.cos), y: rings(up, Math.sin) },
    f: { mark: "field", values: numeric.inRows(f, columns), x, y, limits: [-most, most], palette: "signed", level: 1 },
  };
}

function hook(values, data, numeric) {
  const [low, high] = data.shown;
  const margins = decisionAt(values.points, values, data, numeric).map((value, i) => value * data.labels[i]);
  const shares = machine(values, data, numeric).alpha.map((weight) => weight / values.C);
  return byClass(margins.map((margin) => Math.min(high, Math.max(low, margin))), shares, data);
}

function kept({ points, gamma }, data, numeric) {
  const count = (C) => machine({ points, gamma, C }, data, numeric).alpha.filter((weight) => weight > 0).length;
  return { "": { mark: "line", x: data.costs, y: data.costs.map(count) } };
}

function summary(values, data, numeric) {
  const { alpha, low, high } = machine(values, data, numeric);
  const wrong = decisionAt(values.points, values, data, numeric).filter((value, i) => value * data.labels[i] <= 0).length;
  const count = (which) => alpha.filter(which).length;
  let text =
    `${count((weight) => weight > 0)} of the 14 rows are support vectors, ${count((weight) => weight === values.C)} of ` +
    "them with the weight C.";
  if (high - low > data.faint)
    text +=
      ` Every b from ${low.toFixed(2)} to ${high.toFixed(2)} is optimal, so the boundary is not unique. ` +
      "The middle b is drawn.";
  return `${text} Rows on the wrong side of the boundary: ${wrong}.`.replace(/-/g, "−");
}
