// Computes the panels of kernlib/book/explorers/bochner_phase.py in the page.

const X = Array.from({ length: 121 }, (_, i) => (i - 60) / 20);
const TURN = Array.from({ length: 65 }, (_, i) => i / 32);

const q = (delta) => Math.exp(-2 * delta ** 2);
const feature = (x, omega, b) => Math.SQRT2 * Math.cos(omega * x + Math.PI * b);
const meanProduct = (x, t, b) => q(x - t) + Math.cos(2 * Math.PI * b) * q(x + t);

function wave({ pair, omega, b }) {
  const [[x], [t]] = pair;
  const path = [feature(x, omega, b), 0, 0, feature(t, omega, b)];
  return {
    "√2 cos(ωx + b)": { mark: "line", x: X, y: X.map((place) => feature(place, omega, b)) },
    "both features": { mark: "line", x: [x, x, t, t], y: path, style: "dashed" },
  };
}

function turn({ pair, omega, b }) {
  const [[x], [t]] = pair;
  const product = (phase) => feature(x, omega, phase) * feature(t, omega, phase);
  const level = Math.cos(omega * (x - t));
  return {
    product: { mark: "line", x: TURN, y: TURN.map(product) },
    "cos ω(x − x′), its mean over b": { mark: "line", x: [0, 2], y: [level, level], style: "reference" },
    "at this b": { mark: "dots", x: [b], y: [product(b)], style: "large" },
  };
}

function ghost({ pair, b }) {
  const [[x], [t]] = pair;
  return {
    "mean over ω": { mark: "line", x: X, y: X.map((place) => meanProduct(x, place, b)) },
    "κ(x, x′)": { mark: "line", x: X, y: X.map((place) => q(x - place)), style: "reference" },
    "at this x′": { mark: "dots", x: [t], y: [meanProduct(x, t, b)], style: "large" },
  };
}

function summary({ pair, omega, b }) {
  const [[x], [t]] = pair;
  return (
    `Second panel: at b/π = ${b.toFixed(2)} the product is ${(feature(x, omega, b) * feature(t, omega, b)).toFixed(2)}, ` +
    `its mean over b is ${Math.cos(omega * (x - t)).toFixed(2)}. Third panel: at this x′ the mean over ω is ` +
    `${meanProduct(x, t, b).toFixed(2)}, and κ(x, x′) = ${q(x - t).toFixed(2)}.`
  ).replace(/-/g, "−");
}
