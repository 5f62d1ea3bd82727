// Computes the panels of kernlib/book/explorers/beyond_rows.py in the page.

function sums({ rows }, data) {
  const read = rows.map((i) => data.points[i]);
  const add = (term) => read.reduce((total, [z, y]) => total + term(z, y), 0);
  const [n, S, u, tau] = [read.length, add((z) => z * z), add((z, y) => z * y), add((z, y) => y * y)];
  const objective = (v) => (tau - 2 * v * u + v ** 2 * S) / (2 * Math.max(n, 1)) + (data.lam / 2) * v ** 2;
  return { read, n, S, u, tau, w: n ? u / (S + n * data.lam) : 0, objective };
}

function fit(values, data) {
  const { w } = sums(values, data);
  return {
    "": { mark: "dots", x: data.points.map(([z]) => z), y: data.points.map(([, y]) => y) },
    "fit of the rows read": { mark: "line", x: data.ends, y: data.ends.map((z) => w * z) },
  };
}

function valley(values, data) {
  const { w, objective } = sums(values, data);
  return {
    objective: { mark: "line", x: data.slopes, y: data.slopes.map(objective) },
    w: { mark: "dots", x: [w], y: [objective(w)], style: "large" },
  };
}

function weights({ rows }, data) {
  return data.points.map((point, i) => (rows.includes(i) ? 0 : 1));
}

function summary(values, data) {
  const { read, n, S, u, tau, w } = sums(values, data);
  if (!n) return "No row was read: n, S and u are 0.";
  const short = n > 1 && n <= data.few;
  const squares = short ? `${read.map(([z]) => `${z}²`).join(" + ")} = ` : "";
  const products = short ? `${read.map(([z, y]) => `${z}·${y}`).join(" + ")} = ` : "";
  return (
    `n = ${n}, S = ${squares}${S}, u = ${products}${u}: w = ${u}/(${S} + ${n}·${data.lam}) = ${w.toFixed(2)}. ` +
    `The sum of the y² is ${tau}.`
  );
}
