// Computes the panels of kernlib/book/explorers/objects_bins.py in the page.

const MEANS = {
  linear: (a, b) => a * b,
  intersection: Math.min,
  "additive χ²": (a, b) => (a + b > 0 ? (2 * a * b) / (a + b) : 0),
  Hellinger: (a, b) => Math.sqrt(a * b),
};
const sum = (values) => values.reduce((total, value) => total + value, 0);

function pair({ first, second, bins, angle }, data) {
  const [x, y] = [first, second].map((name) => data[`bins${bins}`][data.names.indexOf(name)]);
  return { x, y, k: Math.floor((angle * bins) / 180), width: 180 / bins };
}

function shares(x, y) {
  return Object.values(MEANS).map((mean) => {
    const parts = x.map((share, i) => mean(share, y[i]));
    return parts.map((part) => part / sum(parts));
  });
}

function binsFor(part, share) {
  let reached = 0;
  return [...part].sort((a, b) => b - a).filter((one) => (reached += one) < share).length + 1;
}

function histograms(values, data) {
  const { x, y, k, width } = pair(values, data);
  const halves = [...x, ...y].map((share, i) => ((i + 0.5) * width) / 2);
  const top = 1.1 * Math.max(...x, ...y);
  return {
    "this bin": { mark: "line", x: [k * width, (k + 1) * width], y: [top, top], low: [0, 0], high: [top, top] },
    "first, x": { mark: "bars", x: halves, y: x.flatMap((share) => [share, 0]) },
    "second, y": { mark: "bars", x: halves, y: y.flatMap((share) => [0, share]) },
  };
}

function contributions(values, data) {
  const { x, y, k } = pair(values, data);
  const parts = shares(x, y);
  const lows = parts.map((part) => part.map((share, i) => sum(part.slice(0, i))));
  const bars = (chosen, style) => {
    const every = x.map((share, i) => i).filter((i) => (i === k) === chosen);
    const of = (entry) => every.flatMap((i) => parts.map((part, place) => entry(place, i)));
    const low = of((place, i) => lows[place][i]);
    return { mark: "bars", x: of((place) => place), y: of((place, i) => lows[place][i] + parts[place][i]), ...style, low };
  };
  return { "this bin": bars(true), "other bins": bars(false, { style: "gray" }) };
}

function summary(values, data) {
  const { x, y, k, width } = pair(values, data);
  const percent = (share) => `${(100 * share).toFixed(0)}%`;
  const names = Object.keys(MEANS);
  const parts = shares(x, y);
  const own = parts.map((part, i) => `${names[i]} ${percent(part[k])}`);
  const needed = parts.map((part, i) => `${names[i]} ${binsFor(part, 0.9)}`);
  const cosines = names.map((name) => {
    const kernel = (a, b) => sum(a.map((share, i) => MEANS[name](share, b[i])));
    return `${name} ${(kernel(x, y) / Math.sqrt(kernel(x, x) * kernel(y, y))).toFixed(2)}`;
  });
  return (
    `The bin from ${k * width}° to ${(k + 1) * width}° holds ${percent(x[k])} of x and ${percent(y[k])} of y. Its ` +
    `share of κ(x, y): ${own.join(", ")}. Bins that make up 90%: ${needed.join(", ")}. Cosine: ${cosines.join(", ")}.`
  );
}
