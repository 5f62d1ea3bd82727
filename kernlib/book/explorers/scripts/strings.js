// Computes the panels of kernlib/book/explorers/strings.py in the page, for any two strings. No number has four digits.

const zeros = (rows, columns) => Array.from({ length: rows }, () => new Array(columns).fill(0));

// For each length of u, the table of Σ φᵤ(s[1:i])φᵤ(t[1:j]). A table follows from that of the length before.
function tables(S, T) {
  const every = [zeros(S.length + 1, T.length + 1).map((row) => row.map(() => 1))];
  for (let length = 1; length <= Math.min(S.length, T.length); length++) {
    const [shorter, table] = [every[length - 1], zeros(S.length + 1, T.length + 1)];
    for (let i = 1; i <= S.length; i++) {
      let P = 0;
      for (let j = 1; j <= T.length; j++) {
        if (S[i - 1] === T[j - 1]) P += shorter[i - 1][j - 1];
        table[i][j] = table[i - 1][j] + P;
      }
    }
    every.push(table);
  }
  return every;
}

const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

// Strings as lists of letters, the cells filled, row and column of the last one, and all tables with their sum.
function stateOf({ s, t, step }) {
  const [S, T] = [[...s], [...t]];
  const cells = S.length * T.length;
  const done = Math.min(step, cells);
  const every = tables(S, T);
  const full = zeros(S.length + 1, T.length + 1).map((row, i) => row.map((_, j) => sum(every.map((one) => one[i][j]))));
  return { S, T, cells, done, every, full, last: done ? place(T, done) : null };
}

const place = (T, done) => [Math.floor((done - 1) / T.length) + 1, ((done - 1) % T.length) + 1];

// The cells that add up to the cell (i, j): the one above, and one for each match in the row.
const added = (S, T, i, j) => [
  [i - 1, j],
  ...T.slice(0, j).flatMap((letter, m) => (letter === S[i - 1] ? [[i - 1, m]] : [])),
];

function table(values) {
  const { S, T, cells, done, full, last } = stateOf(values);
  const shown = full.map((row, i) =>
    row.map((number, j) => (!i || !j || (i - 1) * T.length + j <= done ? number : null)),
  );
  if (done < cells) {
    const [i, j] = place(T, done + 1);
    shown[i][j] = "?";
  }
  return { values: shown, columns: ["ε", ...T], rows: ["ε", ...S], marked: last, lit: last ? added(S, T, ...last) : [] };
}

function next_cell(values) {
  const { S, T, cells, done, full } = stateOf(values);
  if (done === cells) return { question: "The table is full.", right: null, wrong: [] };
  const [i, j] = place(T, done + 1);
  const [a, b, s, t] = [S[i - 1], T[j - 1], S.slice(0, i).join(""), T.slice(0, j).join("")];
  const [right, above, left, corner] = [full[i][j], full[i - 1][j], full[i][j - 1], full[i - 1][j - 1]];
  const reasons =
    a === b
      ? [
          [above, `${above} counts the pairs that do not use the last ${a} of ${s}. Some pairs use it.`],
          [above + corner, `An earlier ${a} of ${t} can match the last ${a} of ${s}, too.`],
          [left, `${left} counts the pairs that do not use the last ${a} of ${t}. Some pairs use it.`],
        ]
      : [
          [above + left, `${above} + ${left} counts twice the pairs that use neither last letter.`],
          [above, `${above} counts the pairs without the last ${a} of ${s}. It matches an earlier ${a}.`],
          [above + corner, `The last letters, ${a} and ${b}, differ: they cannot match each other.`],
        ];
  const three = `${above} + ${left} + ${corner} counts three times the pairs that use neither last letter.`;
  reasons.push([above + left + corner, three]); // never right
  const wrong = new Map();
  for (const [value, why] of reasons)
    if (value !== right && wrong.size < 2 && !wrong.has(value)) wrong.set(value, why);
  const question = `Cell (${i}, ${j}), for ${s} and ${t}: how many pairs of choices spell the same string?`;
  return { question, right, wrong: [...wrong] };
}

const byLength = ({ every, last }) => every.map((one) => (last ? one[last[0]][last[1]] : one[0][0]));

function common(values) {
  const totals = byLength(stateOf(values));
  return { "": { mark: "bars", x: [...totals.keys()], y: totals } };
}

const kappa = (s, t) => stateOf({ s, t, step: 0 }).full.at(-1).at(-1);

function summary(values) {
  const { s, t } = values;
  const found = stateOf(values);
  const { S, T, cells, done, full, last } = found;
  let text = "Row 0 and column 0: every string shares the empty subsequence once.";
  if (done) {
    const parts = added(S, T, ...last).map(([i, j]) => full[i][j]);
    const [i, j] = last;
    const sums =
      parts.length > 1 ? `${full[i][j]} = ${parts.join(" + ")}, the colored cells` : `${parts[0]}, the colored cell`;
    text = `Cell (${i}, ${j}): ${sums}. By length: ${byLength(found).join(" + ")}.`;
  }
  if (done < cells) return done ? text : `${text} The other cells of ${s} and ${t} are still empty.`;
  const whole = full.at(-1).at(-1);
  const normalized = (whole / Math.sqrt(kappa(s, s) * kappa(t, t))).toFixed(3);
  return `${text} All ${done} cells are filled: κ(${s || "ε"}, ${t || "ε"}) = ${whole}, normalized ${normalized}.`;
}
