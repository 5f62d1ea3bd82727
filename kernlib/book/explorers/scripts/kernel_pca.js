// Computes the panels of kernlib/book/explorers/kernel_pca_rings.py in the page.

let known = {}; // the last fit, which all panels use

// A component that tells the rings apart is positive on the inner one, in color.
function fitted({ inner, gamma }, { circle, offsets, most, clear }, numeric) {
  if (known.inner === inner && known.gamma === gamma) return known;
  const radii = [inner, 1].flatMap((radius) => circle.map(() => radius));
  const points = offsets.map((offset, i) => offset.map((part, k) => radii[i] * circle[i % circle.length][k] + part));
  const n = points.length;
  const G = numeric.gaussian(points, points, gamma);
  const means = G.map((row) => row.reduce((sum, entry) => sum + entry, 0) / n);
  const mean = means.reduce((sum, entry) => sum + entry, 0) / n;
  const { values, vectors } = numeric.eigh(G.map((row, i) => row.map((entry, j) => entry - means[i] - means[j] + mean)));
  const columns = numeric.transpose(vectors).reverse().slice(0, most);
  const eigenvalues = values.reverse().slice(0, most);
  const alphas = columns.map((v, k) => {
    const largest = v.reduce((found, entry) => (Math.abs(entry) > Math.abs(found) ? entry : found), 0);
    const scale = Math.sign(largest) / Math.sqrt(eigenvalues[k]);
    const middle = v.reduce((sum, entry) => sum + entry, 0) / n;
    return v.map((entry) => scale * (entry - middle));
  });
  const shares = eigenvalues.map((value) => value / (n - n * mean));
  const shifts = alphas.map((alpha) => numeric.dot(means, alpha));
  const Z = alphas.map((alpha, k) => numeric.times(G, alpha).map((value) => value - shifts[k])); // a row a component
  Z.forEach((z, k) => {
    const middle = z.slice(0, n / 2).reduce((sum, value) => sum + value, 0) / (n / 2);
    if (middle >= -clear * Math.max(...z.map(Math.abs))) return;
    [alphas[k], Z[k], shifts[k]] = [alphas[k].map((a) => -a), z.map((value) => -value), -shifts[k]];
  });
  known = { inner, gamma, points, alphas, shifts, shares, Z };
  return known;
}

function dots(x, y) {
  const half = x.length / 2;
  const named = (from, to) => ({ mark: "dots", x: x.slice(from, to), y: y.slice(from, to), style: "large" });
  return { "inner ring": named(0, half), "outer ring": named(half) };
}

function on_the_plane(values, data, numeric) {
  const { points, alphas, shifts, Z } = fitted(values, data, numeric);
  const k = values.up - 1;
  const places = numeric.places({ x: data.ends, y: data.ends, columns: data.cells, rows: data.cells });
  const z = numeric.times(numeric.gaussian(places, points, values.gamma), alphas[k]).map((value) => value - shifts[k]);
  const most = Math.max(...Z[k].map(Math.abs));
  const field = { mark: "field", values: numeric.inRows(z, data.cells), x: data.ends, y: data.ends };
  const [x, y] = numeric.transpose(points);
  return { ...dots(x, y), component: { ...field, limits: [-most, most], palette: "signed" } };
}

function as_axes(values, data, numeric) {
  const { Z } = fitted(values, data, numeric);
  return dots(Z[values.across - 1], Z[values.up - 1]);
}

function spectrum(values, data, numeric) {
  const { shares } = fitted(values, data, numeric);
  return { "": { mark: "dots", x: shares.map((share, i) => i + 1), y: shares, style: "large" } };
}

// How many points are on their ring's side of the best threshold.
function countRight(z) {
  const half = z.length / 2;
  const order = z.map((value, i) => i).sort((i, j) => z[i] - z[j]);
  let [ahead, most] = [0, 0];
  for (const i of order) {
    ahead += i < half ? 1 : -1;
    most = Math.max(most, Math.abs(ahead));
  }
  return half + most;
}

function summary({ up, ...values }, data, numeric) {
  const { shares, Z, points } = fitted(values, data, numeric);
  const right = Z.map(countRight);
  const most = Math.max(...right);
  const rest =
    right[up - 1] === most
      ? `No other of the first ${data.most} does better.`
      : `Of the first ${data.most}, component ${right.indexOf(most) + 1} separates the rings best: ` +
        `${most} of ${points.length}.`;
  return (
    `Component ${up} holds ${(100 * shares[up - 1]).toFixed(2)}% of the variance. Its best threshold classifies ` +
    `${right[up - 1]} of ${points.length} points correctly. ${rest}`
  );
}
