// Computes the panels of kernlib/book/explorers/kernel_pca_turned.py in the page.

const angleOf = ([[across, up]]) => Math.atan2(Math.abs(up), Math.abs(across));
const captured = (angle, second) => Math.cos(angle) ** 2 + second * Math.sin(angle) ** 2;

function in_the_cloud({ end, second }, { unit, reach }) {
  const [across, up] = end[0];
  const length = Math.hypot(across, up) || 1;
  const along = (part) => [(-reach * part) / length, (reach * part) / length];
  return {
    points: { mark: "dots", x: unit.map(([x]) => x), y: unit.map(([, y]) => Math.sqrt(second) * y) },
    "your axis": { mark: "line", x: along(across), y: along(up) },
    "exact first axis": { mark: "line", x: [-reach, reach], y: [0, 0], style: "dashed" },
  };
}

function over_angles({ end, second }, { degrees }) {
  const angle = angleOf(end);
  const radians = (degree) => (Math.PI / 180) * degree;
  return {
    "at each angle": { mark: "line", x: degrees, y: degrees.map((degree) => captured(radians(degree), second)) },
    "your axis": { mark: "dots", x: [(180 / Math.PI) * angle], y: [captured(angle, second)], style: "large" },
    "exact first axis": { mark: "line", x: [0, 90], y: [1, 1], style: "reference" },
  };
}

function summary({ end, second }, data, numeric) {
  const angle = angleOf(end);
  const digits = (value) => numeric.show(Number(value.toPrecision(2)));
  return (
    `Your axis is turned by ${((180 / Math.PI) * angle).toFixed(0)}°: the sine is ${digits(Math.sin(angle))}. It ` +
    `captures ${digits(captured(angle, second))} of the variance 1, so ` +
    `${digits(100 * (1 - captured(angle, second)))}% is lost.`
  );
}
