// Computes the panels of kernlib/book/explorers/nystrom_pick.py in the page.

function residual(places, { landmarks, gamma }, data, numeric) {
  const every = [...places, ...data.points];
  return factor(every, landmarks.map((landmark) => places.length + landmark), gamma, data, numeric).left.slice(
    0,
    places.length,
  );
}

function factor(every, pivots, gamma, data, numeric) {
  const column = (pivot) => numeric.gaussian(every, [every[pivot]], gamma).map(([entry]) => entry);
  return numeric.partialCholesky(column, every.map(() => 1), pivots, data.least);
}

function truth({ gamma }, { points }, numeric) {
  return numeric.gaussian(points, points, gamma);
}

function reconstruction({ landmarks, gamma }, data, numeric) {
  const F = factor(data.points, landmarks, gamma, data, numeric).columns;
  return data.points.map((_, i) => data.points.map((_, j) => F.reduce((sum, f) => sum + f[i] * f[j], 0)));
}

function errors(values, data, numeric) {
  const found = reconstruction(values, data, numeric);
  return truth(values, data, numeric).map((row, i) => row.map((entry, j) => Math.abs(entry - found[i][j])));
}

function missed(values, data, numeric) {
  const { x, y, cells, points } = data;
  const places = numeric.places({ x, y, columns: cells, rows: cells });
  const left = numeric.inRows(residual(places, values, data, numeric), cells);
  return {
    residual: { mark: "field", values: left, x, y, limits: [0, 1], palette: "blues" },
    "": { mark: "dots", x: points.map(([across]) => across), y: points.map(([, up]) => up) },
  };
}

function weights(values, data, numeric) {
  return residual(data.points, values, data, numeric).map((left) => (left > data.least ? left : 0));
}

function summary(values, data, numeric) {
  const left = residual(data.points, values, data, numeric);
  const mean = left.reduce((sum, value) => sum + value, 0) / left.length;
  return (
    `${values.landmarks.length} of ${left.length} points are landmarks. The residual over the points is ` +
    `${mean.toFixed(3)} on average and ${Math.max(...left).toFixed(3)} at most.`
  );
}
