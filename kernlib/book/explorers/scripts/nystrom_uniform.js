// Computes the panels of kernlib/book/explorers/nystrom_uniform.py in the page.

const sum = (values) => values.reduce((total, value) => total + value, 0);
const upTo = (n) => Array.from({ length: n }, (_, i) => i);

function powers(spectrum, { ranks, handles }) {
  return ranks.map((rank) => {
    const k = Math.min(handles.length - 2, handles.filter((handle) => handle <= rank).length - 1);
    const share = Math.log(rank / handles[k]) / Math.log(handles[k + 1] / handles[k]);
    return (1 - share) * spectrum[k][1] + share * spectrum[k + 1][1];
  });
}

// The shares τ of the trace.
function eigenvalues(spectrum, data) {
  const found = powers(spectrum, data);
  const each = found.flatMap((power, k) => (k % (found.length - 1) ? [10 ** power, 10 ** power] : [10 ** power]));
  const trace = sum(each);
  return each.map((value) => value / trace);
}

// For each draw, the share that is missed after each landmark.
function lossesOfDraws(spectrum, data, numeric) {
  const { n, least, landmarks } = data;
  const tau = eigenvalues(spectrum, data);
  const wave = upTo(n).map((i) => Math.cos((2 * Math.PI * i) / n));
  const f = upTo(n).map((i) => sum(tau.map((share, j) => share * wave[(i * Math.floor((j + 1) / 2)) % n])));
  const column = (pivot) => upTo(n).map((i) => f[Math.abs(i - pivot)]);
  return landmarks.map((pivots) => {
    const { columns } = numeric.partialCholesky(column, upTo(n).map(() => 1), pivots, least);
    let left = 1;
    return pivots.map((_, c) => (left -= c in columns ? numeric.dot(columns[c], columns[c]) / n : 0));
  });
}

const bound = (tau, c) => sum(tau.map((share) => (share * (1 - share)) / (1 + (c - 1) * share)));

function leastLost(tau) {
  let left = 1;
  return [...tau].sort((a, b) => b - a).map((share) => (left -= share));
}

function directions({ spectrum, c }, data) {
  const y = powers(spectrum, data);
  const ends = 10 ** y[0] + 10 ** y[y.length - 1];
  const level = Math.log10((ends + 2 * sum(y.slice(1, -1).map((power) => 10 ** power))) / c);
  const lost = y.map((power) => Math.min(power, level));
  return {
    "eigenvalue, shaded above trace / c": { mark: "line", x: data.ranks, y, low: lost, high: y },
    "trace / c": { mark: "line", x: [1, data.n], y: [level, level], style: "reference" },
  };
}

function losses({ spectrum }, data, numeric) {
  const runs = numeric.transpose(lossesOfDraws(spectrum, data, numeric));
  const tau = eigenvalues(spectrum, data);
  const x = runs.map((_, i) => i + 1);
  const over = (choose) => runs.map((row) => choose(...row));
  const mean = runs.map((row) => sum(row) / row.length);
  return {
    "Nyström": { mark: "line", x, y: mean, low: over(Math.min), high: over(Math.max) },
    "the theorem": { mark: "line", x, y: x.map((c) => bound(tau, c)), style: "dashed" },
    "best of rank c": { mark: "line", x, y: leastLost(tau).slice(0, x.length), style: "dotted" },
  };
}

function summary({ spectrum, c }, data, numeric) {
  const runs = lossesOfDraws(spectrum, data, numeric).map((row) => row[c - 1]);
  const tau = eigenvalues(spectrum, data);
  const percent = (share) => `${(100 * share).toFixed(2)}%`;
  return (
    `${c} landmark${c > 1 ? "s miss" : " misses"} ${percent(sum(runs) / runs.length)} of the trace, the mean of ` +
    `${runs.length} draws. The theorem says at most ${percent(bound(tau, c))}, and the best matrix of rank ${c} ` +
    `misses ${percent(leastLost(tau)[c - 1])}.`
  );
}
