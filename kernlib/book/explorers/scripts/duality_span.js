// Computes the panels of kernlib/book/explorers/duality_span.py in the page.

const places = (rows) => rows.map(([x]) => Math.floor(100 * x + 0.5) / 100);
const points = (xs) => xs.map((x) => [x]);

// f_X and f⊥ as functions of places, and both squared norms.
function split({ rows }, { centers, weights, gamma }, numeric) {
  const { dot, gaussian, times } = numeric;
  const X = points([...new Set(places(rows))].sort((a, b) => a - b));
  const Z = points(centers);
  const values = times(gaussian(X, Z, gamma), weights);
  const beta = numeric.solve(gaussian(X, X, gamma), values);
  const inside = (xs) => times(gaussian(points(xs), X, gamma), beta);
  const outside = (xs) => {
    const found = inside(xs);
    return times(gaussian(points(xs), Z, gamma), weights).map((value, i) => value - found[i]);
  };
  const norm = dot(beta, values);
  const whole = dot(weights, times(gaussian(Z, Z, gamma), weights));
  return { inside, outside, norm, rest: Math.max(whole - norm, 0) };
}

// The loss, and the penalty, for each s.
function sums(shares, values, data, numeric) {
  const { outside, norm, rest } = split(values, data, numeric);
  const at = outside(places(values.rows));
  const squares = (s) => at.map((value, i) => (data.errors[i] - s * value) ** 2);
  const total = (s) => squares(s).reduce((sum, square) => sum + square, 0);
  return {
    loss: shares.map((s) => total(s) / (2 * at.length)),
    penalty: shares.map((s) => (data.lam / 2) * (norm + s * s * rest)),
  };
}

function curves(values, data, numeric) {
  const { inside, outside } = split(values, data, numeric);
  const x = data.drawn;
  const [sum, remainder] = [inside(x), outside(x).map((value) => values.s * value)];
  const at = places(values.rows);
  return {
    f: { mark: "line", x, y: sum.map((value, i) => value + remainder[i]) },
    "fₓ (sum of bumps)": { mark: "line", x, y: sum, style: "dashed" },
    "s · f⊥": { mark: "line", x, y: remainder, style: "dotted" },
    targets: { mark: "dots", x: at, y: inside(at).map((value, i) => value + data.errors[i]), style: "large" },
  };
}

function objective(values, data, numeric) {
  const x = data.fine;
  const { loss, penalty } = sums(x, values, data, numeric);
  return {
    "loss + penalty": { mark: "line", x, y: loss.map((value, i) => value + penalty[i]) },
    penalty: { mark: "line", x, y: penalty, style: "dashed" },
    loss: { mark: "line", x, y: loss, style: "dotted" },
  };
}

function summary(values, data, numeric) {
  const { norm, rest } = split(values, data, numeric);
  const { loss, penalty } = sums([values.s], values, data, numeric);
  const outside = values.s ** 2 * rest;
  return (
    `Loss ${loss[0].toFixed(3)}, penalty (λ/2)‖f‖² = ${penalty[0].toFixed(3)} with λ = ${data.lam}, sum ` +
    `${(loss[0] + penalty[0]).toFixed(3)}. ‖f‖² = ‖fₓ‖² + s²‖f⊥‖² = ${norm.toFixed(2)} + ${outside.toFixed(2)} = ` +
    `${(norm + outside).toFixed(2)}.`
  );
}
