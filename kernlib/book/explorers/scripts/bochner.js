// Computes the panels of kernlib/book/explorers/bochner.py in the page.

const KERNELS = {
  Gaussian: {
    q: (delta, gamma) => Math.exp(-gamma * delta * delta),
    p: (omega, gamma) => Math.exp((-omega * omega) / (4 * gamma)) / Math.sqrt(4 * Math.PI * gamma),
    half: (gamma) => Math.sqrt(Math.LN2 / gamma),
    quartile: (gamma) => 0.6744897501960817 * Math.sqrt(2 * gamma),
    spread: (gamma) => Math.sqrt(2 * gamma),
  },
  Laplace: {
    q: (delta, gamma) => Math.exp(-gamma * Math.abs(delta)),
    p: (omega, gamma) => gamma / (Math.PI * (gamma * gamma + omega * omega)),
    half: (gamma) => Math.LN2 / gamma,
    quartile: (gamma) => gamma,
    spread: (gamma) => gamma,
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

// SPECTRUM: a kernel as the sum of its waves.

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

// EXPLORER: a kernel and the mean of waves that are drawn.

function frequencies({ kernel, gamma, m, draw }, data) {
  const spread = KERNELS[kernel].spread(gamma);
  return data[kernel][draw - 1].slice(0, m).map((unit) => spread * unit);
}

function average(omegas, delta) {
  let sum = 0;
  for (const omega of omegas) sum += Math.cos(omega * delta);
  return sum / omegas.length;
}

function kernel_and_average(values, data) {
  const { right, many } = data;
  const omegas = frequencies(values, data);
  const last = omegas.at(-1);
  const curve = (y, style) => ({ mark: "line", x: right, y: right.map(y), ...(style && { style }) });
  return {
    "q(δ)": curve((delta) => KERNELS[values.kernel].q(delta, values.gamma)),
    "mean of the drawn cos ωδ": curve((delta) => average(omegas, delta), "dashed"),
    "the wave drawn last": curve((delta) => (values.m < many ? Math.cos(last * delta) : NaN), "reference"),
  };
}

function density(values, data) {
  const { edges, omega } = data;
  const width = edges[1] - edges[0];
  const counts = new Array(edges.length - 1).fill(0);
  const [low, high] = [edges[0], edges.at(-1)];
  for (const drawn of frequencies(values, data))
    if (drawn >= low && drawn <= high) counts[Math.min(counts.length - 1, Math.floor((drawn - low) / width))]++;
  const { p } = KERNELS[values.kernel];
  return {
    draws: {
      mark: "bars",
      x: counts.map((_, i) => (edges[i] + edges[i + 1]) / 2),
      y: counts.map((count) => count / (values.m * width)),
    },
    "p(ω)": { mark: "line", x: omega, y: omega.map((place) => p(place, values.gamma)) },
  };
}

// How far the average is from q at places in equal steps; the next cosine of each wave comes from the last two.
function gaps(omegas, q, { steps, step }) {
  const sums = new Float64Array(steps);
  for (const omega of omegas) {
    const twice = 2 * Math.cos(omega * step);
    let before = twice / 2;
    let now = 1;
    for (let i = 0; i < steps; i++) {
      sums[i] += now;
      const next = twice * now - before; // not by [before, now] = …, which makes an array
      before = now;
      now = next;
    }
  }
  return Array.from(sums, (sum, i) => Math.abs(sum / omegas.length - q(i * step)));
}

function summary(values, data, numeric) {
  const { half, quartile, q } = KERNELS[values.kernel];
  const { gamma, m } = values;
  const omegas = frequencies(values, data);
  const gap = gaps(omegas, (delta) => q(delta, gamma), data);
  const first = gap.findIndex((one) => one > 0.1);
  const where = first < 0 ? "everywhere in the plot" : `up to |δ| = ${((first - 1) * data.step).toFixed(2)}`;
  const outside = omegas.filter((omega) => Math.abs(omega) > data.omega.at(-1)).length;
  return (
    `q falls to ½ at |δ| = ${half(gamma).toFixed(2)}; half of the frequencies lie within ±${quartile(gamma).toFixed(2)}, ` +
    `and ${outside} of the ${numeric.show(m)} drawn outside ±8. The average is within 0.1 of q ${where}, and at most ` +
    `${Math.max(...gap).toFixed(3)} away from it.`
  );
}
