// What an explorer's own script returns, written as panels draw it; in the book's data Python has written it so.

function cellsOf(rows, limits) {
  const columns = rows[0].length;
  const values = rows.flat();
  const finite = values.filter(Number.isFinite);
  const [low, high] = limits || [Math.min(...finite), Math.max(...finite)];
  const last = look.hidden - 1;
  const cells = Uint8Array.from(values, (value) => {
    const share = Math.min(1, Math.max(0, (value - low) / (high - low || 1)));
    if (!Number.isFinite(value)) return look.hidden;
    const rounded = Math.round(last * share);
    return low === -high && rounded === last / 2 ? rounded + Math.sign(value) : rounded; // of the value's sign
  });
  return { shape: [rows.length, columns], low, high, cells };
}

const finiteOrNull = (numbers) => Array.from(numbers, (value) => (Number.isFinite(value) ? value : null));

function seriesOf(label, { values, limits, palette = "heat", ...series }) {
  if (series.mark === "field") return { label, palette, ...series, ...cellsOf(values, limits) };
  const arrays = ["x", "y", "low", "high"].filter((key) => key in series);
  return { label, style: "", ...series, ...Object.fromEntries(arrays.map((key) => [key, finiteOrNull(series[key])])) };
}

const texts = (cells) => cells.map((cell) => (cell === null ? "" : show(cell)));

// One function for each kind of panel that needs it.
const FRAMES = {
  table: ({ values, columns, rows, marked, lit }) => ({
    values: values.map(texts),
    columns: texts(columns),
    rows: texts(rows),
    marked,
    ...(lit.length && { lit }),
  }),
  answers: ({ question, right, wrong }) => {
    const all = right === null ? [] : [...wrong, [right, ""]].sort(([a], [b]) => a - b);
    return { question, answers: all.map(([answer]) => show(answer)), why: all.map(([, why]) => why) };
  },
  plot: (result) => ({ series: Object.entries(result).map(([label, series]) => seriesOf(label, series)) }),
  heat: (rows, { limits }) => cellsOf(rows, limits),
};

// The panels of a script, computed only if a control that they depend on has moved.
function computedPanels(spec) {
  const functions = globalThis.KernlibScripts?.[spec.script] || {};
  const kept = new Map();
  return (panel, values) => {
    const own = panel.depends.map((name) => values[name]);
    const known = kept.get(panel);
    if (known && own.every((value, i) => value === known.own[i])) return known.frame;
    const result = functions[panel.computed](values, spec.data, numeric);
    const frame = FRAMES[panel.kind] ? FRAMES[panel.kind](result, panel) : result;
    kept.set(panel, { own, frame });
    return frame;
  };
}
