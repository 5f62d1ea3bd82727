// Computes the panels of kernlib/book/explorers/nystrom.py in the page.

const sum = (values) => values.reduce((total, value) => total + value, 0);

// The landmarks of one draw: the record has numbers of points, or places.
function landmarksOf({ c, gamma, rule, draw }, data) {
  const ofRule = data[`landmarks of ${rule}`];
  const drawn = ofRule[ofRule.length > 1 ? data.gammas.indexOf(gamma) : 0][draw - 1];
  const begin = sum(data.counts.filter((count) => count < c));
  return drawn.slice(begin, begin + c).map((place) => (Array.isArray(place) ? place : data.points[place]));
}

// Z = C V_k Σ_k^(−1/2) on all points, and the relative error of ZZᵀ. Kept, because four panels need it.
let kept = {};
function fit(values, data, numeric) {
  const { c, k, gamma, rule, draw } = values;
  const state = [c, k, gamma, rule, draw].join();
  if (kept.state === state) return kept;
  const places = landmarksOf(values, data);
  const { values: sigma, vectors } = numeric.eigh(numeric.gaussian(places, places, gamma));
  const least = c * Number.EPSILON * sigma[c - 1];
  const wanted = [...sigma.keys()].slice(-k).filter((j) => sigma[j] > least);
  const M = vectors.map((row) => wanted.map((j) => row[j] / Math.sqrt(sigma[j])));
  const Z = numeric.multiply(numeric.gaussian(data.points, places, gamma), M);
  if (kept.gamma !== gamma) kept.G = numeric.gaussian(data.points, data.points, gamma);
  const { G } = kept;
  let [gap, size] = [0, 0]; // both matrices are symmetric
  for (let i = 0; i < Z.length; i++)
    for (let j = 0; j <= i; j++) {
      const twice = j < i ? 2 : 1;
      const entry = G[i][j] - numeric.dot(Z[i], Z[j]);
      gap += twice * entry * entry;
      size += twice * G[i][j] * G[i][j];
    }
  return (kept = { state, gamma, G, Z, error: Math.sqrt(gap / size) });
}

function truth({ gamma }, data, numeric) {
  const X = data.shown.map((place) => data.points[place]);
  return numeric.gaussian(X, X, gamma);
}

function approximation(values, data, numeric) {
  const { Z } = fit(values, data, numeric);
  const rows = data.shown.map((place) => Z[place]);
  return rows.map((row) => numeric.times(rows, row));
}

function missed(values, data, numeric) {
  const G = truth(values, data, numeric);
  return approximation(values, data, numeric).map((row, i) => row.map((entry, j) => Math.abs(G[i][j] - entry)));
}

function landmarks(values, data) {
  const dots = (places) => ({ mark: "dots", x: places.map(([x]) => x), y: places.map(([, y]) => y) });
  return { data: dots(data.points), landmarks: { ...dots(landmarksOf(values, data)), style: "large" } };
}

const quantiles = ({ k, gamma }, rule, data) =>
  data[`quantiles of ${rule}`][data.gammas.indexOf(gamma)][data.ranks.indexOf(k)];

function error_over_c(values, data, numeric) {
  const { c, k, gamma, rule } = values;
  const x = data.counts;
  const series = {};
  for (const name of data.rules) {
    const [low, y, high] = quantiles(values, name, data);
    series[name] = { mark: "line", x, y, ...(name === rule ? { low, high } : { style: "dashed" }) };
  }
  const best = data.best[data.gammas.indexOf(gamma)];
  series["this draw"] = { mark: "dots", x: [c], y: [fit(values, data, numeric).error], style: "large" };
  series["least possible"] = { mark: "line", x, y: x.map((count) => best[Math.min(k, count)]), style: "reference" };
  return series;
}

function summary(values, data, numeric) {
  const { c, k, gamma, rule, draw } = values;
  const digits = (value, n) => numeric.show(Number(value.toPrecision(n)));
  const counts = [0, 0, 0];
  for (const place of landmarksOf(values, data)) {
    const far = data.centers.map((center) => Math.hypot(place[0] - center[0], place[1] - center[1]));
    counts[far.indexOf(Math.min(...far))] += 1;
  }
  const place = data.counts.indexOf(c);
  const [low, middle, high] = quantiles(values, rule, data).map((row) => digits(row[place], 3));
  const best = data.best[data.gammas.indexOf(gamma)][Math.min(k, c)];
  const finds = data[`finds of ${rule}`];
  const found = finds[finds.length > 1 ? data.gammas.indexOf(gamma) : 0][place];
  return (
    `Rank ${Math.min(k, c)}: relative error ${digits(fit(values, data, numeric).error, 3)} in draw ${draw}; ` +
    `the least possible is ${digits(best, 2)}. 200 draws: median ${middle}, the middle 80% from ${low} to ${high}; ` +
    `in ${found} of them a landmark is in the group of 10 points. In this draw the groups of 140, 50 and 10 points ` +
    `have ${counts[0]}, ${counts[1]} and ${counts[2]} landmarks.`
  );
}
