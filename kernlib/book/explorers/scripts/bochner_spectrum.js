// Computes two panels of kernlib/book/explorers/bochner.py in the page: a kernel as the sum of its waves.

const KERNELS = {
  Gaussian: {
    q: (delta, gamma) => Math.exp(-gamma * delta * delta),
    p: (omega, gamma) => Math.exp((-omega * omega) / (4 * gamma)) / Math.sqrt(4 * Math.PI * gamma),
    half: (gamma) => Math.sqrt(Math.LN2 / gamma),
    quartile: (gamma) => 0.6744897501960817 * Math.sqrt(2 * gamma),
  },
  Laplace: {
    q: (delta, gamma) => Math.exp(-gamma * Math.abs(delta)),
    p: (omega, gamma) => gamma / (Math.PI * (gamma * gamma + omega * omega)),
    half: (gamma) => Math.LN2 / gamma,
    quartile: (gamma) => gamma,
  },
  cap: {
    q: (delta, gamma) => Math.max(1 - gamma * delta * delta, 0),
    p: (omega, gamma) => transformOfCap(Math.abs(omega) / Math.sqrt(gamma)) / (2 * Math.PI * Math.sqrt(gamma)),
    half: (gamma) => Math.sqrt(0.5 / gamma),
  },
};

// Near 0 the formula would lose its digits.
const transformOfCap = (v) =>
  v < 0.1 ? 4 / 3 - (2 * v ** 2) / 15 + v ** 4 / 210 : (4 * (Math.sin(v) - v * Math.cos(v))) / v ** 3;

// The integral of p(ω) cos ωδ from −W to W.
function sumOfWaves({ p }, { gamma, W }, { nodes, weights }) {
  const weight = nodes.map((node, i) => 2 * W * weights[i] * p(W * node, gamma));
  return (delta) => nodes.reduce((sum, node, i) => sum + weight[i] * Math.cos(W * node * delta), 0);
}

function shape(values, data) {
  const { delta } = data;
  const kernel = KERNELS[values.kernel];
  const half = kernel.half(values.gamma);
  return {
    "q(δ)": { mark: "line", x: delta, y: delta.map((place) => kernel.q(place, values.gamma)) },
    "where q = ½": { mark: "dots", x: [-half, half], y: [0.5, 0.5], style: "large" },
    "sum of the waves up to W": { mark: "line", x: delta, y: delta.map(sumOfWaves(kernel, values, data)), style: "dashed" },
  };
}

function law({ kernel, gamma, W }, { wide, below }) {
  const { p, quartile } = KERNELS[kernel];
  const places = quartile && [-quartile(gamma), quartile(gamma)];
  const inside = below.map((share) => W * share);
  const weight = inside.map((omega) => p(omega, gamma));
  const all = wide.map((omega) => p(omega, gamma));
  return {
    "p(ω)": { mark: "line", x: wide, y: all },
    ...(quartile
      ? { "half of the weight between": { mark: "dots", x: places, y: places.map((omega) => p(omega, gamma)), style: "large" } }
      : { "where it is negative": { mark: "line", x: wide, y: all.map((value) => (value < 0 ? value : NaN)), style: "dashed" } }),
    "their weights": { mark: "line", x: inside, y: weight, low: weight.map(() => 0), high: weight, style: "dashed" },
  };
}
