// Elements of the page, their ids, and the look that comes with each explorer's description (look.py).

function element(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

function shape(tag, attributes = {}, ...children) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value != null && value !== false) node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.filter((child) => child != null));
  return node;
}

// Labels point at their controls by id. A page of Jupyter holds this script once for each explorer, all of them
// counting from one, so the ids need something of their own.
const own = Math.random().toString(36).slice(2, 8);
let ids = 0;
const newId = () => `kernlib-explore-${own}-${++ids}`;

let look; // one for all explorers of a page; `mount` puts it here

// Each series has two colors, of which the stylesheet lets one through (see --in-light there).
const colors = () =>
  [...look.series.map((pair, i) => [`series-${i}`, pair]), ["guess", look.guess]]
    .map(([name, { light, dark }]) => `--${name}: var(--in-light, ${light}) var(--in-dark, ${dark});`)
    .join("");
const tint = (number) => ({ style: `color: var(--series-${number % look.series.length})` });
const pen = ({ width, dashes }) => ({ "stroke-width": width, "stroke-dasharray": dashes.join(" ") || null });
