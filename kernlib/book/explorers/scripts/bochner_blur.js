// Computes the panels of kernlib/book/explorers/bochner_blur.py in the page.

const OMEGA = Array.from({ length: 241 }, (_, i) => (i - 120) / 10);
const DELTA = Array.from({ length: 181 }, (_, i) => (i - 90) / 20);
const GRID = Array.from({ length: 25 }, (_, i) => i / 4);
const ROUNDING = 1e-9;

const bothSides = (weights) => [
  ...weights.filter(([omega]) => omega).map(([omega, weight]) => [-omega, weight]).reverse(),
  ...weights,
];
const mixture = (places, delta) =>
  places.reduce((sum, [omega, weight]) => sum + weight * Math.cos(omega * delta), 0);
const bells = (places, eps, omega) =>
  places.reduce((sum, [at, weight]) => sum + weight * Math.exp(-((omega - at) ** 2) / (2 * eps)), 0);

function blurred(weights, eps) {
  const places = bothSides(weights);
  return OMEGA.map((omega) => bells(places, eps, omega) / Math.sqrt(2 * Math.PI * eps));
}

const largest = (numbers) => Math.max(...numbers.map(Math.abs));

function product({ weights, eps }) {
  const places = bothSides(weights);
  const q = DELTA.map((delta) => mixture(places, delta));
  const factor = DELTA.map((delta) => Math.exp((-eps * delta ** 2) / 2));
  return {
    product: { mark: "line", x: DELTA, y: q.map((value, i) => value * factor[i]) },
    "q(δ)": { mark: "line", x: DELTA, y: q, style: "dashed" },
    "exp(−εδ²/2)": { mark: "line", x: DELTA, y: factor, style: "reference" },
  };
}

function spectrum({ weights, eps }) {
  const density = blurred(weights, eps);
  const scale = largest(weights.map(([, weight]) => weight)) / (largest(density) || 1);
  const p = density.map((value) => value * scale);
  const [low, high] = [p.map((value) => Math.min(value, 0)), p.map(() => 0)];
  const stems = bothSides(weights).flatMap(([at, weight]) => [0, weight, 0].map((height) => [at, height]));
  return {
    "blurred density, scaled to the largest weight": { mark: "line", x: OMEGA, y: p, low, high },
    "weights of q": { mark: "line", x: stems.map(([at]) => at), y: stems.map(([, height]) => height) },
  };
}

function summary({ weights, eps }, data, numeric) {
  const [p, places] = [blurred(weights, eps), bothSides(weights)];
  const low = p.reduce((least, value, i) => (i > 120 && value < p[least] ? i : least), 120);
  const dip = `is negative, and lowest at ω = ${low > 120 ? `±${OMEGA[low].toFixed(1)}` : "0"}`;
  const found = p[low] < -ROUNDING ? dip : "is nowhere negative in the plot";
  const [least] = numeric.eigh(GRID.map((x) => GRID.map((y) => mixture(places, x - y)))).values;
  const smallest = `the smallest eigenvalue of q's Gram matrix is ${least.toFixed(2)}`;
  const eigenvalue = least < -ROUNDING ? smallest : "no eigenvalue of q's Gram matrix is negative";
  return `The blurred density ${found}. On 25 points a quarter apart, ${eigenvalue}.`.replace(/-/g, "−");
}
