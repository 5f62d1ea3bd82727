// Computes the panels of kernlib/book/explorers/kernels_powers.py in the page.

const similarity = (x, y, beta) => Math.exp(-(Math.abs(x - y) ** beta));

function leastEigenvalue(points, beta, { rounding }, numeric) {
  const [least] = numeric.eigh(points.map(([x]) => points.map(([y]) => similarity(x, y, beta)))).values;
  return Math.abs(least) > rounding ? least : 0;
}

function bell({ points, beta }, { drawn, chosen }) {
  const line = (power, style) => {
    const y = drawn.map((x) => similarity(x, points[chosen][0], power));
    return { mark: "line", x: drawn, y, ...(style && { style }) };
  };
  return { "chosen β": line(beta), "β = 1, Laplace": line(1, "dotted"), "β = 2, Gaussian": line(2, "dashed") };
}

function least_over_beta({ points }, data, numeric) {
  const { fine } = data;
  const y = fine.map((beta) => leastEigenvalue(points, beta, data, numeric));
  return {
    "least eigenvalue": { mark: "line", x: fine, y },
    zero: { mark: "line", x: [fine[0], fine.at(-1)], y: [0, 0], style: "reference" },
  };
}

function verdict({ points, beta }, data, numeric) {
  const least = leastEigenvalue(points, beta, data, numeric);
  const said = least < 0 ? "not a kernel" : "these points do not refute it";
  const rounded = numeric.show(Number(least.toPrecision(2)));
  return `β = ${beta}: the least eigenvalue of these points is ${rounded}, ${said}.`;
}
