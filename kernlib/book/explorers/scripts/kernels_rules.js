// Computes the panels of kernlib/book/explorers/kernels_rules.py in the page.

const KERNELS = {
  Gaussian: (x, y) => Math.exp(-((x - y) ** 2)),
  Laplace: (x, y) => Math.exp(-Math.abs(x - y)),
  linear: (x, y) => x * y,
  wave: (x, y) => Math.cos(2 * (x - y)),
};

const RULES = {
  "rule 1: κ₁ + bκ₂": (b, k, m, x, y) => k(x, y) + b * m(x, y),
  "rules 3 and 1: κ₁κ₂ + b": (b, k, m, x, y) => k(x, y) * m(x, y) + b,
  "rules 4 and 3: (x + b)(x′ + b)κ₁": (b, k, m, x, y) => (x + b) * (y + b) * k(x, y),
  "rule 5: κ₁(bx, bx′)": (b, k, m, x, y) => k(b * x, b * y),
  "rule 6: 1 + bκ₁ + κ₁²": (b, k, m, x, y) => 1 + b * k(x, y) + k(x, y) ** 2,
  "rule 6: exp(bκ₁)": (b, k, m, x, y) => Math.exp(b * k(x, y)),
  "no rule: tanh(bκ₁)": (b, k, m, x, y) => Math.tanh(b * k(x, y)),
};
const [SUM, PRODUCT, SCALED, MAPPED, , , NONE] = Object.keys(RULES);

const made = ({ rule, first, second, b }) => (x, y) => RULES[rule](b, KERNELS[first], KERNELS[second], x, y);

function gram(values) {
  const x = values.points.map(([across]) => across);
  return x.map((one) => x.map((other) => made(values)(one, other)));
}

// The least eigenvalue of G, or 0 if it is a rounding error, and the largest absolute one.
function eigenvalues(values, data, numeric) {
  const lam = numeric.eigh(gram(values)).values;
  const most = Math.max(...lam.map(Math.abs));
  return [Math.abs(lam[0]) > data.rounding * most ? lam[0] : 0, most];
}

function slices(values, { drawn }) {
  const { points, rule, first, second } = values;
  const line = (kernel, style) => ({ mark: "line", x: drawn, y: drawn.map((x) => kernel(x, points[3][0])), ...style });
  return {
    "κ₁(x, s)": line(KERNELS[first], { style: "dotted" }),
    "the new κ(x, s)": line(made(values)),
    ...([SUM, PRODUCT].includes(rule) && { "κ₂(x, s)": line(KERNELS[second], { style: "dashed" }) }),
  };
}

function least_over_b(values, data, numeric) {
  const shareAt = (b) => {
    const [least, most] = eigenvalues({ ...values, b }, data, numeric);
    return least / Math.max(most, 1e-300);
  };
  return {
    zero: { mark: "line", x: [-2, 2], y: [0, 0], style: "reference" },
    "least eigenvalue of G": { mark: "line", x: data.along, y: data.along.map(shareAt) },
  };
}

function verdict(values, data, numeric) {
  const { rule, b } = values;
  const [least, most] = eigenvalues(values, data, numeric);
  const rounded = (value) => numeric.show(Number(value.toPrecision(2)));
  const why = rule === NONE ? "no rule proves that it is a kernel" : "the rule needs b ≥ 0";
  let after = `These points do not refute the new κ, but ${why}.`;
  const part = least < 0 ? `; divided by the largest |eigenvalue| it is ${rounded(least / most)}` : "";
  if (least < 0) after = "The new κ is not a kernel.";
  else if ([SCALED, MAPPED].includes(rule) || b === 0 || (b > 0 && rule !== NONE))
    after = "No points make it negative: the new κ is a kernel by the rules.";
  return `The least eigenvalue of G is ${rounded(least)}${part}. ${after}`;
}
