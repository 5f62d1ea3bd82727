// Computes the panels of kernlib/book/explorers/duality_twins.py in the page.

function rows(twins, { others }) {
  const all = [...twins, ...others];
  return { X: all.map(([x]) => [x]), values: all.map(([, y]) => y) };
}

function coefficients(twins, lam, data, numeric) {
  const { X, values } = rows(twins, data);
  return numeric.dualRidge(numeric.gaussian(X, X, data.gamma), values, lam);
}

function curve(twins, lam, data, numeric) {
  const K = numeric.gaussian(data.drawn.map((x) => [x]), rows(twins, data).X, data.gamma);
  return { mark: "line", x: data.drawn, y: numeric.times(K, coefficients(twins, lam, data, numeric)) };
}

function twins_fit({ x, y, lam }, data, numeric) {
  const { others, first } = data;
  const twins = [first, [x, y]];
  const middle = [(first[0] + x) / 2, (first[1] + y) / 2];
  const dots = (points) => ({ mark: "dots", x: points.map(([at]) => at), y: points.map(([, value]) => value) });
  return {
    "other rows": { ...dots(others), style: "large" },
    "first twin": { ...dots([first]), style: "large" },
    "second twin, yours": { ...dots([[x, y]]), style: "large" },
    fit: curve(twins, lam, data, numeric),
    "both twins in their middle": { ...curve([middle, middle], lam, data, numeric), style: "reference" },
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

function twins_summary({ x, y, lam }, data, numeric) {
  const [one, two] = coefficients([data.first, [x, y]], lam, data, numeric);
  const shift = (data.others.length + 2) * lam;
  const [first, second, both, left, right] = [one, two, one + two, shift * one, shift * two].map((value) =>
    numeric.show(Number(value.toPrecision(3))),
  );
  const middle = [(data.first[0] + x) / 2, (data.first[1] + y) / 2];
  const fit = curve([data.first, [x, y]], lam, data, numeric).y;
  const gray = curve([middle, middle], lam, data, numeric).y;
  const far = Math.max(...fit.map((value, i) => Math.abs(value - gray[i])));
  return (
    `α₁ = ${first} and α₂ = ${second}; their sum is ${both}. The residuals of the twins are ${left} and ${right}, ` +
    `nλ times the coefficients. The fit is up to ${far.toFixed(3)} from the gray curve.`
  );
}
