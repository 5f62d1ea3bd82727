// Numbers as text, the same as kernlib.book.explore.marks.show writes.

const superscript = (n) =>
  String(n)
    .replace("-", "⁻")
    .replace(/\d/g, (digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[digit]);

function show(value) {
  if (typeof value !== "number") return String(value);
  const [digits, power] = value.toExponential(3).split("e").map(Number);
  const plain = Number.isInteger(value) && Math.abs(value) < 1e15;
  const text = plain
    ? value.toLocaleString("en")
    : power < -4 || power >= 4
      ? `${digits}·10${superscript(power)}`.replace(/^(-?)1·/, "$1")
      : String(Number(value.toPrecision(4)));
  return text.replace("-", "−");
}

// The place of the number nearest to a value.
const nearest = (values, value) =>
  values.reduce((best, v, i) => (Math.abs(v - value) < Math.abs(values[best] - value) ? i : best), 0);
