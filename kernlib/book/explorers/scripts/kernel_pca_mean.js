// Computes the panels of kernlib/book/explorers/kernel_pca.py in the page.

// The first eigenvector of covariance + mmᵀ, to the right of the origin.
function uncentered([x, y], covariance) {
  const angle = Math.atan2(2 * (covariance[0][1] + x * y), x * x - y * y) / 2;
  return [Math.cos(angle), Math.sin(angle)];
}

function caught(mean, { covariance }, numeric) {
  const u = uncentered(mean, covariance);
  return numeric.dot(u, numeric.times(covariance, u));
}

function directionOf(mean, { axes }, numeric) {
  const [along, across] = numeric.times(axes, mean).map(Math.abs);
  return { distance: Math.hypot(along, across), angle: Math.atan2(across, along) };
}

function directions({ mean: [at] }, data, numeric) {
  const { offsets, axes, covariance, field, reach, farthest } = data;
  const line = (u, lengths, from) => ({
    mark: "line",
    x: lengths.map((length) => from[0] + length * u[0]),
    y: lengths.map((length) => from[1] + length * u[1]),
  });
  const shares = numeric.places(field).map((place) => caught(place, data, numeric) - 0.5);
  const values = numeric.inRows(shares, field.columns);
  return {
    "the cloud": { mark: "dots", x: offsets.map(([x]) => x + at[0]), y: offsets.map(([, y]) => y + at[1]) },
    "without centering": line(uncentered(at, covariance), [-2 * farthest, 2 * farthest], [0, 0]),
    "with centering": { ...line(axes[0], [-reach, reach], at), style: "dashed" },
    origin: { mark: "dots", x: [0], y: [0], style: "large" },
    share: { mark: "field", values, x: field.x, y: field.y, limits: [-0.5, 0.5], palette: "signed" },
  };
}

function shares({ mean: [at] }, data, numeric) {
  const { distance, angle } = directionOf(at, data, numeric);
  const [long, across] = data.axes;
  const toward = long.map((part, i) => Math.cos(angle) * part + Math.sin(angle) * across[i]);
  const shareAt = (far) => caught(toward.map((part) => far * part), data, numeric);
  const x = Array.from({ length: 181 }, (_, i) => (data.farthest * i) / 180);
  return {
    "this mean": { mark: "dots", x: [distance], y: [shareAt(distance)], style: "large" },
    "without centering": { mark: "line", x, y: x.map(shareAt) },
    half: { mark: "line", x: [0, data.farthest], y: [0.5, 0.5], style: "reference" },
  };
}

function turned({ mean: [at] }, data, numeric) {
  const { distance, angle } = directionOf(at, data, numeric);
  const degrees = (radians) => ((180 / Math.PI) * radians).toFixed(0);
  const turn = Math.acos(Math.min(1, Math.abs(numeric.dot(uncentered(at, data.covariance), data.axes[0]))));
  return (
    `The mean is at the distance ${numeric.show(Number(distance.toPrecision(3)))}, at ${degrees(angle)}° to the long ` +
    `axis. Without centering the first component is turned by ${degrees(turn)}° and catches ` +
    `${(100 * caught(at, data, numeric)).toFixed(0)}% of the variance that the centered one catches.`
  );
}
