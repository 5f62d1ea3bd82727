// The state of a page's explorers in its address.

// The page's address says where the controls stand, "#ridge:gamma=2,lam=0.1;pca:gamma=1".
const parts = () =>
  location.hash
    .slice(1)
    .split(";")
    .filter((part) => /^[a-z][a-z0-9-]*:/.test(part));
const partOf = (name) => parts().find((part) => part.startsWith(`${name}:`));

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // written by hand, with a % that begins no code
  }
}

// The text of a control's value: points as x_y~x_y, switches as i~j.
const textOf = (value) =>
  Array.isArray(value) ? value.map((part) => (Array.isArray(part) ? part.join("_") : part)).join("~") : String(value);
const setting = (name, values) => [name, textOf(values[name])].map(encodeURIComponent).join("=");
// The page's address with another state of one explorer, or with none of it; the others' states stay.
function addressWith(name, settings) {
  const others = parts().filter((part) => !part.startsWith(`${name}:`));
  const all = settings ? [...others, `${name}:${settings}`] : others;
  return location.href.split("#")[0] + (all.length ? `#${all.join(";")}` : "");
}

// The value of a control that an address means; undefined, if none.
function meant(control, text) {
  const { kind, values, count } = control;
  if (kind === "points") {
    const places = text.split("~").map((pair) => pair.split("_").map(Number));
    const fits = places.length === control.default.length && places.every((place) => place.length === 2);
    return fits && places.flat().every(Number.isFinite) ? places : undefined;
  }
  if (kind === "toggles") {
    const on = text ? text.split("~").map(Number) : [];
    const fits = on.every((i) => Number.isInteger(i) && i >= 0 && i < count) && new Set(on).size === on.length;
    return fits ? on : undefined;
  }
  if (kind === "text") return text.length <= control.longest ? text : undefined;
  if (typeof values[0] !== "number") return values.find((value) => value === text);
  return Number.isFinite(Number(text)) ? values[nearest(values, Number(text))] : undefined;
}
