// Matrices in colors: the cells of a heat map, and a field under a plot with its line of zeros.

const bytesOf = ({ cells }) =>
  typeof cells === "string" ? Uint8Array.from(atob(cells), (letter) => letter.charCodeAt(0)) : cells;

// The color of a byte, from equally distant stops.
function blend(stops, share) {
  const position = share * (stops.length - 1);
  const i = Math.min(Math.floor(position), stops.length - 2);
  return stops[i].map((from, channel) => from + (position - i) * (stops[i + 1][channel] - from));
}

const PALETTES = {
  heat: (share) => [...blend(look.heat, share), 255],
  blues: (share) => [...blend(look.blues, share), 255],
  gray: (share) => [...blend(look.gray, share), 255],
  signed: (share) => {
    const { low, high, opacity } = look.signed;
    return [...(share < 0.5 ? low : high), 255 * opacity * Math.abs(2 * share - 1)];
  },
};

// The colors of all bytes, as the words of a picture; of a hidden cell there is none.
const painted = new Map();
function wordsOf(palette) {
  if (!painted.has(palette)) {
    const colors = Array.from({ length: look.hidden }, (_, byte) => PALETTES[palette](byte / (look.hidden - 1)));
    painted.set(palette, new Uint32Array(Uint8ClampedArray.from(colors.flat()).buffer));
  }
  return painted.get(palette);
}

// Paint the cells on a canvas, one pixel each.
function paint(canvas, frame, palette, upwards = false) {
  const [rows, columns] = frame.shape;
  if (canvas.width !== columns) canvas.width = columns;
  if (canvas.height !== rows) canvas.height = rows;
  const pixels = new ImageData(columns, rows);
  const [words, colors] = [new Uint32Array(pixels.data.buffer), wordsOf(palette)];
  bytesOf(frame).forEach((byte, i) => {
    const row = Math.floor(i / columns);
    words[upwards ? (rows - 1 - row) * columns + (i % columns) : i] = colors[byte];
  });
  canvas.getContext("2d").putImageData(pixels, 0, 0);
}

// The line on which a field has a level, as a path: in each square of four neighboring centers, the crossings of its
// edges, joined in pairs. Where all four are within rounding of the level their signs mean nothing, and there is no line.
function levelLine(field, x, y, level) {
  const [rows, columns] = field.shape;
  const at = ((look.hidden - 1) * (level - field.low)) / (field.high - field.low); // as a byte
  const values = Array.from(bytesOf(field), (byte) => byte - at || 1e-9);
  const center = ([low, high], i, n) => low + ((i + 0.5) / n) * (high - low);
  let d = "";
  for (let i = 0; i + 1 < rows; i++) {
    for (let j = 0; j + 1 < columns; j++) {
      const first = i * columns + j;
      const four = [first, first + 1, first + columns + 1, first + columns].map((place) => values[place]);
      if (four.filter((value) => value < 0).length % 4 === 0) continue; // all of one sign
      if (four.every((value) => Math.abs(value) <= 1)) continue;
      const corners = [[i, j], [i, j + 1], [i + 1, j + 1], [i + 1, j]];
      const crossings = [];
      corners.forEach(([row, column], k) => {
        const [nextRow, nextColumn] = corners[(k + 1) % 4];
        const [here, there] = [values[row * columns + column], values[nextRow * columns + nextColumn]];
        if (here < 0 === there < 0) return;
        const share = here / (here - there);
        const across = x.place(center(field.x, column + share * (nextColumn - column), columns));
        crossings.push(`${across} ${y.place(center(field.y, row + share * (nextRow - row), rows))}`);
      });
      for (let k = 0; k < crossings.length; k += 2) d += `M${crossings[k]}L${crossings[k + 1]}`;
    }
  }
  return d;
}
