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

const setting = (name, values) => [name, values[name]].map(encodeURIComponent).join("=");
// The page's address with another state of one explorer, or with none of it; the others' states stay.
function addressWith(name, settings) {
  const others = parts().filter((part) => !part.startsWith(`${name}:`));
  const all = settings ? [...others, `${name}:${settings}`] : others;
  return location.href.split("#")[0] + (all.length ? `#${all.join(";")}` : "");
}

// The value of a control that an address means; undefined, if none.
function meant({ values }, text) {
  if (typeof values[0] !== "number") return values.find((value) => value === text);
  return Number.isFinite(Number(text)) ? values[nearest(values, Number(text))] : undefined;
}
