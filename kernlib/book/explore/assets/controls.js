// Controls: an element for each, and a function that sets it.

const labeled = (id, label, ...nodes) =>
  element("div", { class: "control" }, element("label", { for: id }, label), ...nodes);

function slider(spec, moved) {
  const { values, label } = spec;
  const [id, last, page] = [newId(), values.length - 1, Math.max(2, Math.round(values.length / 10))];
  const input = element("input", { id, type: "range", min: 0, max: last, step: 1, "aria-label": label });
  const output = element("span", { class: "value", "aria-hidden": "true" });
  const set = (value) => {
    input.value = nearest(values, value);
    input.setAttribute("aria-valuetext", show(value));
    output.textContent = show(value);
  };
  const go = () => {
    set(values[input.valueAsNumber]);
    moved(values[input.valueAsNumber]);
  };
  const KEYS = {
    ArrowRight: 1,
    ArrowUp: 1,
    ArrowLeft: -1,
    ArrowDown: -1,
    PageUp: page,
    PageDown: -page,
    Home: -last,
    End: last,
  };
  input.addEventListener("input", go);
  input.addEventListener("keydown", (event) => {
    if (!(event.key in KEYS) || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault(); // by hand, since JupyterLab keeps these keys from a range
    event.stopPropagation();
    input.value = Math.min(last, Math.max(0, input.valueAsNumber + KEYS[event.key]));
    go();
  });
  const node = labeled(id, label, input, output, spec.play ? playButton(spec, input, go) : null);
  node.style.setProperty("--stops", values.length); // for its length
  return { set, node };
}

// A button that runs a slider through its stops, until a key is pressed, the slider is touched or set by something else,
// or it is at its end.
// Where the reader wants no motion, each press is one step.
function playButton({ label, play }, input, go) {
  const button = element("button", { type: "button", class: "quiet play", "aria-label": `Play ${label}` }, "▶");
  let [timer, reached] = [null, null];
  const isAtEnd = () => input.value === input.max;
  const stop = ({ target, key } = {}) => {
    if (target === button && ["Enter", " "].includes(key)) return; // its click follows
    clearInterval(timer);
    timer = null;
    removeEventListener("keydown", stop);
    button.textContent = "▶";
    button.setAttribute("aria-label", `Play ${label}`);
  };
  const step = () => {
    if (input.matches(":disabled") || !input.isConnected || (timer && input.value !== reached)) return stop();
    input.value = isAtEnd() ? input.min : input.valueAsNumber + 1;
    reached = input.value;
    go();
    if (isAtEnd()) stop();
  };
  button.addEventListener("click", () => {
    if (timer) return stop();
    step();
    if (isAtEnd() || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    timer = setInterval(step, 1000 / play);
    addEventListener("keydown", stop);
    button.textContent = "■";
    button.setAttribute("aria-label", `Stop ${label}`);
  });
  input.addEventListener("pointerdown", stop);
  return button;
}

function choice(spec, moved) {
  const id = newId();
  const select = element(
    "select",
    { id },
    ...spec.values.map((value, i) => element("option", { value: i }, show(value))),
  );
  select.addEventListener("change", () => moved(spec.values[select.value]));
  const set = (value) => (select.value = spec.values.indexOf(value));
  const node = labeled(id, spec.label, select);
  node.style.setProperty("--letters", Math.max(...spec.values.map((value) => show(value).length)));
  return { set, node };
}

function textBox(spec, moved) {
  const [id, list] = [newId(), newId()];
  const input = element("input", {
    id,
    list,
    type: "text",
    maxlength: spec.longest,
    autocomplete: "off",
    spellcheck: "false",
  });
  const suggestions = element("datalist", { id: list }, ...spec.values.map((value) => element("option", { value })));
  input.addEventListener("input", () => moved(input.value));
  const set = (value) => {
    if (input.value !== value) input.value = value; // setting it moves the caret to the end
  };
  return { set, node: labeled(id, spec.label, input, suggestions) };
}

// These two are moved in a plot.
const inPlot = () => ({ set() {}, node: null });

const CONTROLS = { slider, choice, text: textBox, points: inPlot, toggles: inPlot };
