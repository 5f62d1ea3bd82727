// Computes the panels of kernlib/book/explorers/duality_drag.py in the page.

function system({ points, lam, gamma }, numeric) {
  const X = points.map(([x]) => [x]);
  const y = points.map(([, value]) => value);
  return { X, y, A: numeric.addToDiagonal(numeric.gaussian(X, X, gamma), X.length * lam) };
}

// α, and the diagonal of (G + nλI)⁻¹.
function solution(values, numeric) {
  const { y, A } = system(values, numeric);
  const L = numeric.cholesky(A);
  const unit = (i) => y.map((_, k) => Number(k === i));
  const diagonal = y.map((_, i) => numeric.solveLower(L, unit(i)).reduce((sum, entry) => sum + entry ** 2, 0));
  return { alpha: numeric.solveUpper(L, numeric.solveLower(L, y)), diagonal };
}

// The function fitted to all points but number `left`, or to all for 0, with the same nλ.
function fitted(values, left, numeric) {
  const { X, y, A } = system(values, numeric);
  const rows = X.map((_, i) => i).filter((i) => i !== left - 1);
  const alpha = numeric.solve(rows.map((i) => rows.map((j) => A[i][j])), rows.map((i) => y[i]));
  return (places) => numeric.times(numeric.gaussian(places, rows.map((i) => X[i]), values.gamma), alpha);
}

function fit(values, data, numeric) {
  const { points, left } = values;
  const places = data.drawn.map((x) => [x]);
  const all = fitted(values, 0, numeric);
  const series = { "fit to all points": { mark: "line", x: data.drawn, y: all(places) } };
  if (!left) return series;
  const [x, y] = points[left - 1];
  const h = weight(values, numeric);
  const [there] = all([[x]]);
  series["fit without one"] = { mark: "line", x: data.drawn, y: fitted(values, left, numeric)(places), style: "dashed" };
  const residual = (y - there) / (1 - h);
  series["residual by the formula"] = { mark: "line", x: [x, x], y: [y, y - residual], style: "dotted" };
  return series;
}

const weight = (values, numeric) =>
  1 - values.points.length * values.lam * solution(values, numeric).diagonal[values.left - 1];

function residuals(values, data, numeric) {
  const { alpha, diagonal } = solution(values, numeric);
  const n = alpha.length;
  const x = alpha.map((_, i) => i + 1);
  return {
    "left out": { mark: "dots", x, y: alpha.map((value, i) => Math.abs(value / diagonal[i])), style: "large" },
    "in the fit": { mark: "dots", x, y: alpha.map((value) => Math.abs(n * values.lam * value)) },
  };
}

function summary(values, data, numeric) {
  const { points, left } = values;
  const found = residuals(values, data, numeric);
  const size = (name) => Math.sqrt(found[name].y.reduce((sum, value) => sum + value ** 2, 0) / points.length).toFixed(3);
  const text = `Root mean square of the residuals: ${size("in the fit")} in the fit, ${size("left out")} left out.`;
  if (!left) return text;
  const [x, y] = points[left - 1];
  const [all, without] = [0, left].map((number) => fitted(values, number, numeric)([[x]])[0].toFixed(3));
  return (
    `Point ${left}: y = ${y.toFixed(3)}, h = ${weight(values, numeric).toFixed(3)}. The fit is ${all} there, and ` +
    `${without} without the point. ${text}`
  ).replace(/-/g, "−");
}
