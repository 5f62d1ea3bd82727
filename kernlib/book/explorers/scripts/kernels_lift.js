// Computes the panels of kernlib/book/explorers/kernels_lift.py in the page.

// On the screen: across, and up, for features (x₁², √2 x₁x₂, x₂²) and a line of sight at this angle to the axis.
function onScreen([x, y], angle) {
  const turn = (Math.PI * angle) / 180;
  const axis = (x * x + y * y) / Math.SQRT2;
  return [(x * x - y * y) / Math.SQRT2, Math.cos(turn) * Math.SQRT2 * x * y + Math.sin(turn) * axis];
}

function lifted({ angle, point }, { points, inside, around, rim }, numeric) {
  const dots = (rows) => {
    const [x, y] = numeric.transpose(rows.map((row) => onScreen(row, angle)));
    return { mark: "dots", x, y, style: "large" };
  };
  const turn = (Math.PI * angle) / 180;
  const up = (t) => Math.cos(turn) * rim * Math.sin(t) + Math.sin(turn) * Math.SQRT1_2;
  return {
    inside: dots(points.filter((_, i) => inside[i])),
    outside: dots(points.filter((_, i) => !inside[i])),
    yours: dots(point),
    "the plane": { mark: "line", x: around.map((t) => rim * Math.cos(t)), y: around.map(up), style: "reference" },
  };
}

function summary({ angle, point }, { angles, right, points }) {
  const [[x, y]] = point;
  const sum = x * x + y * y;
  const side = sum < 1 ? "below" : "above";
  const seen = angle === 90 ? "edge-on, as a line" : angle % 180 ? "at a slant" : "face-on";
  return (
    `Your point has u₁ + u₃ = x₁² + x₂² = ${sum.toFixed(2)}: its features are ${side} the plane. You see the plane, ` +
    `drawn as a disk, ${seen}. The best straight line on this picture puts ${right[angles.indexOf(angle)]} of ` +
    `${points.length} points on the correct side.`
  );
}
