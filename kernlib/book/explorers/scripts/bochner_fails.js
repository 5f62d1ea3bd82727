// Computes the first panel of kernlib/book/explorers/bochner_fails.py in the page: a bump, and what its transform
// integrates.

// J₀ as the mean of cos(z sin t), by the midpoint rule.
const SINES = Array.from({ length: 64 }, (_, i) => Math.sin(((i + 0.5) * Math.PI) / 64));

// The mean of the wave cos ωᵀδ over the directions of δ, with z = ‖ω‖‖δ‖, in each dimension.
const MEAN_WAVES = {
  1: Math.cos,
  2: (z) => SINES.reduce((sum, sine) => sum + Math.cos(z * sine), 0) / SINES.length,
  3: (z) => (z < 1e-4 ? 1 - z ** 2 / 6 : Math.sin(z) / z),
  5: (z) => (z < 0.05 ? 1 - z ** 2 / 10 + z ** 4 / 280 : (3 * (Math.sin(z) - z * Math.cos(z))) / z ** 3),
};

function profile(values, { radii, names, bumps }) {
  const q = bumps[names.indexOf(values.function)];
  const product = radii.map((r, i) => q[i] * r ** (values.p - 1) * MEAN_WAVES[values.p](values.omega * r));
  return {
    "q(r)": { mark: "line", x: radii, y: q },
    "all six": {
      mark: "line",
      x: bumps.flatMap(() => [...radii, radii.at(-1)]),
      y: bumps.flatMap((one) => [...one, NaN]),
      style: "reference",
    },
    "what q̂(ω) integrates": { mark: "line", x: radii, y: product, low: radii.map(() => 0), high: product },
  };
}
