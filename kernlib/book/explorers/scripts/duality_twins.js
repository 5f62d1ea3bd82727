// Computes the panels of kernlib/book/explorers/duality_twins.py in the page.

function rows(twins, { others }) {
  const all = [...twins, ...others];
  return { X: all.map(([x]) => [x]), values: all.map(([, y]) => y) };
}

function coefficients(twins, lam, data, numeric) {
  const { X, values } = rows(twins, data);
  return numeric.dualRidge(numeric.gaussian(X, X, data.gamma), values, lam);
}

// The coefficients and both curves; kept, because the fit and the readout need them.
let kept = {};
function fitted({ x, y, lam }, data, numeric) {
  if (kept.x === x && kept.y === y && kept.lam === lam) return kept;
  const { first, drawn, gamma } = data;
  const middle = [(first[0] + x) / 2, (first[1] + y) / 2];
  const [ours, gray] = [[first, [x, y]], [middle, middle]].map((twins) => {
    const K = numeric.gaussian(drawn.map((place) => [place]), rows(twins, data).X, gamma);
    const alpha = coefficients(twins, lam, data, numeric);
    return { alpha, curve: numeric.times(K, alpha) };
  });
  return (kept = { x, y, lam, alpha: ours.alpha, fit: ours.curve, gray: gray.curve });
}

function twins_fit(values, data, numeric) {
  const { others, first, drawn } = data;
  const { x, y, fit, gray } = fitted(values, data, numeric);
  const dots = (points) => ({ mark: "dots", x: points.map(([at]) => at), y: points.map(([, value]) => value) });
  return {
    "other rows": { ...dots(others), style: "large" },
    "first twin": { ...dots([first]), style: "large" },
    "second twin, yours": { ...dots([[x, y]]), style: "large" },
    fit: { mark: "line", x: drawn, y: fit },
    "both twins at their midpoint": { mark: "line", x: drawn, y: gray, style: "reference" },
  };
}

function twins_coefficients({ x, y }, data, numeric) {
  const found = data.lams.map((lam) => coefficients([data.first, [x, y]], lam, data, numeric));
  const line = (size) => ({ mark: "line", x: data.lams, y: found.map((alpha) => Math.abs(size(alpha))) });
  return {
    "|α₁|, first twin": line(([one]) => one),
    "|α₂|, second twin": { ...line(([, two]) => two), style: "dashed" },
    "|α₁ + α₂|": { ...line(([one, two]) => one + two), style: "dotted" },
  };
}

function twins_summary(values, data, numeric) {
  const { lam, alpha, fit, gray } = fitted(values, data, numeric);
  const [one, two] = alpha;
  const shift = (data.others.length + 2) * lam;
  const [first, second, both, left, right] = [one, two, one + two, shift * one, shift * two].map((value) =>
    numeric.show(Number(value.toPrecision(3))),
  );
  const far = Math.max(...fit.map((value, i) => Math.abs(value - gray[i])));
  const compared = far < 0.0005 ? "coincide" : `differ by at most ${far.toFixed(3)}`;
  return (
    `α₁ = ${first} and α₂ = ${second}; their sum is ${both}. The residuals of the twins are ${left} and ${right}, ` +
    `nλ times the coefficients. The fit and the gray curve ${compared}.`
  );
}
