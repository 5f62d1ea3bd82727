// Computes the panels of kernlib/book/explorers/kernels_norm.py in the page.

const rows = (places) => places.map((place) => [place]);

// Kernel ridge regression: f, its norm, and the mean loss.
function fitted({ data, lam }, { x, gamma }, numeric) {
  const G = numeric.gaussian(rows(x), rows(x), gamma);
  const y = data.map(([, height]) => height);
  const alpha = numeric.dualRidge(G, y, lam);
  const fit = numeric.times(G, alpha);
  return {
    f: (places) => numeric.times(numeric.gaussian(rows(places), rows(x), gamma), alpha),
    norm: Math.sqrt(numeric.dot(alpha, fit)),
    loss: fit.reduce((sum, value, i) => sum + (y[i] - value) ** 2, 0) / (2 * y.length),
  };
}

// The middle and half the width of the values that are possible at a place.
function allowedAt(place, { f, norm }, at, { gamma }) {
  const similar = Math.exp(-gamma * (place - at) ** 2);
  const [height] = f([at]);
  return [height * similar, Math.sqrt(Math.max(norm ** 2 - height ** 2, 0) * (1 - similar ** 2))];
}

function curve(values, data, numeric) {
  const found = fitted(values, data, numeric);
  const { drawn } = data;
  const [middle, reach] = numeric.transpose(drawn.map((place) => allowedAt(place, found, values.at, data)));
  return {
    f: { mark: "line", x: drawn, y: found.f(drawn) },
    "possible with ‖f‖ and f(x)": {
      mark: "line",
      x: drawn,
      y: middle,
      low: middle.map((value, i) => value - reach[i]),
      high: middle.map((value, i) => value + reach[i]),
      style: "reference",
    },
    "f(x)": { mark: "dots", x: [values.at], y: found.f([values.at]), style: "large" },
  };
}

function norms({ data }, { x, gamma, fine }, numeric) {
  const y = data.map(([, height]) => height);
  const G = numeric.gaussian(rows(x), rows(x), gamma);
  const least = Math.sqrt(numeric.dot(y, numeric.solve(G, y)));
  const normAt = (lam) => {
    const alpha = numeric.dualRidge(G, y, lam);
    return Math.sqrt(numeric.dot(alpha, numeric.times(G, alpha)));
  };
  return {
    "‖f‖": { mark: "line", x: fine, y: fine.map(normAt) },
    "through all points": { mark: "line", x: [fine[0], fine.at(-1)], y: [least, least], style: "reference" },
  };
}

function summary(values, data, numeric) {
  const found = fitted(values, data, numeric);
  const [, reach] = allowedAt(values.at + 0.5, found, values.at, data);
  return (
    `‖f‖ = ${found.norm.toFixed(2)}, loss ${numeric.show(Number(found.loss.toPrecision(2)))}. At a distance of 0.5 ` +
    `from x = ${numeric.show(values.at)}, the band has a width of ${(2 * reach).toFixed(2)}.`
  );
}
