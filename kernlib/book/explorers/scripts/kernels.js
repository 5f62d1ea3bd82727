// Computes the panels of kernlib/book/explorers/kernels_drag.py in the page.

function gram({ points, gamma }, data, numeric) {
  return numeric.gaussian(points, points, gamma);
}

function decision({ points, gamma }, data, numeric) {
  const alpha = numeric.dualRidge(gram({ points, gamma }, data, numeric), data.labels, data.lambda);
  const { x, y, columns } = data.field;
  const places = numeric.places(data.field);
  const values = numeric.times(numeric.gaussian(places, points, gamma), alpha);
  const field = { values: numeric.inRows(values, columns), x, y };
  return { f: { mark: "field", ...field, limits: [-1, 1], palette: "signed" } };
}

function summary(values, data, numeric) {
  const G = gram(values, data, numeric);
  const f = numeric.times(G, numeric.dualRidge(G, data.labels, data.lambda));
  const right = f.filter((value, i) => Math.sign(value) === data.labels[i]).length;
  let [row, column] = [0, 1];
  G.forEach((entries, i) => entries.forEach((entry, j) => {
    if (i !== j && entry > G[row][column]) [row, column] = [i, j];
  }));
  return (
    `${right} of ${G.length} training points are on the correct side of the boundary. The two most similar ` +
    `points are rows ${row + 1} and ${column + 1} of G: κ = ${G[row][column].toFixed(2)}.`
  );
}
