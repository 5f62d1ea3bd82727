// Computes the panels of kernlib/book/explorers/duality_steps.py in the page.

// α, P and D after each step, and the eigenvectors of G; kept, because four panels need it.
let kept = {};
function pathOf({ lam, gamma }, { X, y, steps }, numeric) {
  if (kept.lam === lam && kept.gamma === gamma) return kept;
  const { dot, times } = numeric;
  const n = y.length;
  const G = numeric.gaussian(X, X, gamma);
  const A = numeric.addToDiagonal(G, n * lam);
  const along = (V, weights) => y.map((_, i) => weights.reduce((sum, weight, j) => sum + weight * V[j][i], 0));
  const unit = (v) => v.map((entry) => entry / Math.sqrt(dot(v, v)));
  const V = [unit(y)];
  while (V.length < steps) {
    let v = times(A, V[V.length - 1]);
    for (let twice = 0; twice < 2; twice++) {
      const shares = along(V, times(V, v));
      v = v.map((entry, i) => entry - shares[i]);
    }
    V.push(unit(v));
  }
  const AV = V.map((v) => times(A, v));
  const alphas = [y.map(() => 0)];
  for (let t = 1; t <= steps; t++) {
    const basis = V.slice(0, t);
    const small = basis.map((v) => AV.slice(0, t).map((w) => dot(v, w)));
    alphas.push(along(basis, numeric.solve(small, times(basis, y))));
  }
  const best = numeric.dualRidge(G, y, lam);
  const valuesAt = (alpha) => {
    const fitted = times(G, alpha);
    const size = (lam / 2) * dot(alpha, fitted);
    const left = y.map((value, i) => value - fitted[i]);
    return {
      primal: dot(left, left) / (2 * n) + size,
      dual: lam * dot(alpha, y) - ((n * lam * lam) / 2) * dot(alpha, alpha) - size,
    };
  };
  const values = alphas.map(valuesAt);
  return (kept = { lam, gamma, G, eigen: numeric.eigh(G), alphas, best, values, optimum: valuesAt(best).dual });
}

function fit_after(values, data, numeric) {
  const { alphas, best } = pathOf(values, data, numeric);
  const K = numeric.gaussian(data.drawn.map((x) => [x]), data.X, values.gamma);
  const line = (alpha) => ({ mark: "line", x: data.drawn, y: numeric.times(K, alpha) });
  return {
    "fit after t steps": line(alphas[values.t]),
    data: { mark: "dots", x: data.X.map(([x]) => x), y: data.y, style: "large" },
    minimizer: { ...line(best), style: "reference" },
  };
}

function closing_in(values, data, numeric) {
  const { values: all, optimum } = pathOf(values, data, numeric);
  const shown = all.slice(0, values.t + 1);
  const [x, primal, dual] = [shown.map((_, i) => i), shown.map((at) => at.primal), shown.map((at) => at.dual)];
  return {
    "ceiling P(α)": { mark: "line", x, y: primal, low: dual, high: primal },
    "floor D(α)": { mark: "line", x, y: dual, style: "dashed" },
    optimum: { mark: "line", x: [0, data.steps], y: [optimum, optimum], style: "reference" },
  };
}

function residual_parts(values, data, numeric) {
  const { G, eigen, alphas } = pathOf(values, data, numeric);
  const alpha = alphas[values.t];
  const shift = data.y.length * values.lam;
  const fitted = numeric.times(G, alpha);
  const size = Math.sqrt(numeric.dot(data.y, data.y));
  const left = data.y.map((value, i) => (value - fitted[i] - shift * alpha[i]) / size);
  const parts = numeric.times(numeric.transpose(eigen.vectors), left);
  const largestNear = Math.min(data.close * shift, eigen.values[eigen.values.length - 2]); // the largest always is apart
  const isApart = (_, i) => eigen.values[i] > largestNear;
  const near = parts.filter((part, i) => !isApart(part, i));
  const dots = (x, sizes) => ({ mark: "dots", x, y: sizes.map((y) => Math.max(y, data.leastPart)), style: "large" });
  const apart = eigen.values.filter(isApart).map((value) => value + shift);
  const found = { "one eigenvalue": dots(apart, parts.filter(isApart).map(Math.abs)) };
  if (near.length) found["all near nλ"] = dots([shift], [Math.sqrt(numeric.dot(near, near))]);
  return found;
}

function certificate(values, data, numeric) {
  const { primal, dual } = pathOf(values, data, numeric).values[values.t];
  const digits = (value, n) => numeric.show(Number(value.toPrecision(n)));
  const gap = primal - dual;
  const unit = 10 ** (Math.floor(Math.log10(gap)) - 1); // a bound is rounded up
  const left = gap > data.least ? digits(Math.ceil(gap / unit) * unit, 2) : "10⁻⁶";
  return (
    `After ${values.t} ${values.t === 1 ? "step" : "steps"} P(α) = ${digits(primal, 3)} and D(α) = ` +
    `${digits(dual, 3)}. No α has a value of P below D(α), so this one is within ${left} of the optimum.`
  );
}
