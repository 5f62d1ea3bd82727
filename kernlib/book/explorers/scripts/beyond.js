// Computes the panels of kernlib/book/explorers/beyond.py in the page.

function parts({ n, c, m, source, link, disk }, data) {
  const { inputs, rows, flops, fan, gigabit, sources } = data;
  const blocks = Math.ceil(n / rows);
  const busy = Math.min(m, blocks);
  const speeds = [1e9 * disk, link * gigabit, busy * 1e9 * disk];
  const levels = m > 1 ? Math.ceil(Math.log(blocks) / Math.log(fan) - 1e-9) : 0;
  return {
    reading: (8 * (inputs + 1) * n) / speeds[sources.indexOf(source)],
    "features and sums": (n * (2 * inputs * c + 2 * c ** 2)) / (busy * flops),
    "sums in transit": (levels * (fan - 1) * 4 * c * (c + 3)) / (link * gigabit),
    "the solution": c ** 3 / (3 * flops),
  };
}

const total = (found) => Object.values(found).reduce((sum, seconds) => sum + seconds, 0);

function share_over_m(values, data) {
  const every = data.workers.map((m) => parts({ ...values, m }, data));
  const x = every.map((found, i) => i);
  const low = x.map(() => 0);
  const series = {};
  for (const name of Object.keys(every[0])) {
    const y = every.map((found, i) => low[i] + found[name] / total(found));
    series[name] = { mark: "bars", x, y, low: [...low] };
    y.forEach((share, i) => (low[i] = share));
  }
  const chosen = data.workers.indexOf(values.m);
  return { ...series, "your m": { mark: "dots", x: [chosen], y: [1.05], style: "large" } };
}

function time_over_n(values, data) {
  const x = data.drawn;
  const every = x.map((n) => parts({ ...values, n }, data));
  const line = (pick, style) => ({ mark: "line", x, y: every.map(pick), ...(style && { style }) });
  return {
    reading: line((found) => found.reading, "dashed"),
    "features and sums": line((found) => found["features and sums"], "dotted"),
    "sums in transit": line((found) => found["sums in transit"], "dashed"),
    all: line(total),
  };
}

function speedup_over_m(values, data) {
  const totals = data.workers.map((m) => total(parts({ ...values, m }, data)));
  return {
    model: { mark: "line", x: data.workers, y: totals.map((seconds) => totals[0] / seconds) },
    "m times": { mark: "line", x: data.workers, y: data.workers, style: "reference" },
  };
}

const SECONDS = [[3.156e7, "years"], [86400, "days"], [3600, "hours"], [60, "minutes"], [1, "s"], [1e-3, "ms"]];
const BYTES = [[1e15, "PB"], [1e12, "TB"], [1e9, "GB"], [1e6, "MB"], [1e3, "kB"]];

function in_units(value, units) {
  const [size, name] = units.find(([least]) => value >= least) || units[units.length - 1];
  const share = value / size;
  const text = share >= 99.5 ? Math.round(share).toLocaleString("en") : String(Number(share.toPrecision(2)));
  return `${text} ${text === "1" && name.length > 2 ? name.replace(/s$/, "") : name}`;
}

function summary(values, data) {
  const { n, c, m } = values;
  const found = parts(values, data);
  const largest = Object.keys(found).reduce((best, name) => (found[name] > found[best] ? name : best));
  const gain = in_units(total(parts({ ...values, m: 1 }, data)) / total(found), [[1, "times"]]);
  const sums = in_units((m > 1 ? Math.ceil(n / data.rows) : 0) * 4 * c * (c + 3), BYTES);
  const rows = in_units(8 * (data.inputs + 1) * n, BYTES);
  return (
    `${in_units(total(found), SECONDS)}, ${gain} as fast as one worker. The largest part is ${largest}, ` +
    `${in_units(found[largest], SECONDS)}. Rows to read: ${rows}; sums in transit: ${sums}. A worker keeps two sets of ` +
    `sums, ${in_units(16 * (c ** 2 + c), BYTES)} in all, whatever n is.`
  );
}
