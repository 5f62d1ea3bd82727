// Computes the panels of EXPLORER in kernlib/book/explorers/bochner.py in the page.

const KERNELS = {
  Gaussian: {
    q: (delta, gamma) => Math.exp(-gamma * delta * delta),
    p: (omega, gamma) => Math.exp((-omega * omega) / (4 * gamma)) / Math.sqrt(4 * Math.PI * gamma),
    half: (gamma) => Math.sqrt(Math.LN2 / gamma),
    quartile: (gamma) => 0.6744897501960817 * Math.sqrt(2 * gamma),
    spread: (gamma) => Math.sqrt(2 * gamma),
  },
  Laplace: {
    q: (delta, gamma) => Math.exp(-gamma * delta),
    p: (omega, gamma) => gamma / (Math.PI * (gamma * gamma + omega * omega)),
    half: (gamma) => Math.LN2 / gamma,
    quartile: (gamma) => gamma,
    spread: (gamma) => gamma,
  },
};

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
