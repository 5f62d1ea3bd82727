// Computes the panels of kernlib/book/explorers/fourier_spread.py in the page.

const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

function errorAt([x, y], frequencies) {
  let sum = 0;
  for (const [across, up] of frequencies) sum += Math.cos(x * across + y * up);
  return sum / frequencies.length - Math.exp(-(x * x + y * y) / 2);
}

// At each distance: the mean square over directions, and that of independent draws.
function meanSquares({ frequencies }, { distances, angles }) {
  const found = distances.map((r) =>
    mean(angles.map((angle) => errorAt([r * Math.cos(angle), r * Math.sin(angle)], frequencies) ** 2)),
  );
  return [found, distances.map((r) => Math.expm1(-r * r) ** 2 / (2 * frequencies.length))];
}

function worth(values, data, reach) {
  const inside = data.distances.filter((r) => r < reach + 1e-9);
  const weights = inside.map((r, i) => (i % 2 ? 4 : 2) * r); // Simpson's rule
  weights[weights.length - 1] /= 2;
  const [found, independent] = meanSquares(values, data).map((squares) =>
    weights.reduce((sum, weight, i) => sum + weight * squares[i], 0),
  );
  return (values.frequencies.length * independent) / found;
}

function spread({ frequencies }, { edges, far, circle }, numeric) {
  const moment = (i, j) => mean(frequencies.map((one) => one[i] * one[j]));
  const { values, vectors } = numeric.eigh(numeric.matrix(2, 2, moment));
  const roots = values.map((value) => Math.sqrt(Math.max(0, value)));
  const half = numeric.matrix(2, 2, (i, j) => roots.reduce((sum, r, k) => sum + r * vectors[i][k] * vectors[j][k], 0));
  const units = circle.map((angle) => [Math.cos(angle), Math.sin(angle)]);
  const line = (points, style) => {
    const [x, y] = numeric.transpose(points);
    return { mark: "line", x, y, ...(style && { style }) };
  };
  const along = edges.flatMap((edge) => [edge, edge, NaN]);
  const across = edges.flatMap(() => [-far, far, NaN]);
  return {
    "second moments": line(units.map((unit) => numeric.times(half, unit))),
    "of the distribution": line(units, "dashed"),
    "cells of probability 1/16": {
      mark: "line",
      x: [...along, ...across],
      y: [...across, ...along],
      style: "reference",
    },
  };
}

function missed({ frequencies }, { ends, cells }, numeric) {
  const places = numeric.places({ x: ends, y: ends, columns: cells, rows: cells });
  const values = numeric.inRows(places.map((place) => errorAt(place, frequencies)), cells);
  return { error: { mark: "field", values, x: ends, y: ends, limits: [-0.45, 0.45], palette: "signed" } };
}

function over_distance(values, data) {
  const [found, independent] = meanSquares(values, data).map((squares) => squares.map(Math.sqrt));
  return {
    "these frequencies": { mark: "line", x: data.distances, y: found },
    "independent, expected": { mark: "line", x: data.distances, y: independent, style: "dashed" },
  };
}

function summary(values, data) {
  const count = (reach) => worth(values, data, reach).toFixed(0);
  return (
    `Up to the distance ${data.near} these ${values.frequencies.length} frequencies are worth ` +
    `${count(data.near)} independent ones, and up to ${data.ends[1]} they are worth ${count(data.ends[1])}.`
  );
}
