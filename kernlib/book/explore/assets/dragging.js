// Points of a plot that a mouse, a finger or the keyboard moves or switches. `hands` is what `mount` offers to them.

// At most one call for each frame of the screen, with the last arguments.
function oncePerFrame(act) {
  let waiting = null;
  const run = () => {
    const last = waiting;
    waiting = null;
    if (last) act(...last);
  };
  const go = (...given) => {
    if (!waiting) requestAnimationFrame(run);
    waiting = given;
  };
  return { go, run };
}

const STILL = 3; // pixels within which a press is a click

// Call follow(x, y) with the plot's own numbers while a node is dragged; `at` gives the numbers where it is.
function makeDraggable(node, hands, now, at, follow, clicked = () => {}) {
  let [origin, moved] = [null, false];
  const { go, run } = oncePerFrame(follow);
  const stopScrolling = (event) => hands.enabled() && event.cancelable && event.preventDefault();
  // touch-action alone does not keep Chromium from canceling the pointer
  for (const type of ["touchstart", "touchmove"]) node.addEventListener(type, stopScrolling, { passive: false });
  node.addEventListener("pointerdown", (event) => {
    if (event.button || !hands.enabled()) return;
    const { x, y, left, top, width } = now();
    const box = node.ownerSVGElement.getBoundingClientRect();
    const zoom = width / box.width;
    const [across, up] = at();
    moved = false;
    const pageX = box.left + scrollX + (left + x.place(across)) / zoom; // where the middle of the node is
    const pageY = box.top + scrollY + (top + y.place(up)) / zoom;
    origin = { pageX, pageY, zoom, offX: event.pageX - pageX, offY: event.pageY - pageY, across, up };
    node.setPointerCapture(event.pointerId);
    node.classList.add("held");
    node.focus({ preventScroll: true });
    event.preventDefault();
  });
  node.addEventListener("pointermove", (event) => {
    if (!origin) return;
    const { x, y } = now();
    const across = (event.pageX - origin.offX - origin.pageX) * origin.zoom;
    const up = (event.pageY - origin.offY - origin.pageY) * origin.zoom;
    moved ||= Math.hypot(across, up) > STILL;
    if (moved) go(x.at(x.place(origin.across) + across), y.at(y.place(origin.up) + up));
  });
  const end = ({ type }) => {
    if (origin && !moved && type === "pointerup") clicked();
    origin = null;
    run();
    node.classList.remove("held");
  };
  for (const type of ["pointerup", "pointercancel", "lostpointercapture"]) node.addEventListener(type, end);
}

// The keys that move a point, as directions.
const ARROWS = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

function onKeys(node, hands, act) {
  node.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || !hands.enabled() || !act(event)) return;
    event.preventDefault();
    event.stopPropagation(); // JupyterLab would move on
  });
}

const clamped = ([low, high], value) => Math.min(high, Math.max(low, value));
const spoken = ([x, y]) => `x = ${show(x)}, y = ${show(y)}`;
const shapeOf = (group) => POINTS[look.points[group % look.points.length]];

// A point that sets two sliders.
function gripOf(panel, now, hands) {
  const grip = shape("circle", { class: "grip", r: 20 });
  const at = () => panel.drag.map((name) => hands.value(name));
  makeDraggable(grip, hands, now, at, (x, y) => hands.setSliders({ [panel.drag[0]]: x, [panel.drag[1]]: y }));
  return {
    nodes: [grip],
    place({ x, y, left, top }) {
      const [across, up] = at();
      fill(grip, { cx: left + x.place(across), cy: top + y.place(up) }, []);
    },
  };
}

// The cursor of a plot, which sets its slider; the slider itself is there for the keyboard.
function cursorOf(panel, now, hands) {
  const line = shape("path", { class: "cursor-grip", "stroke-width": 24 });
  const at = () => [hands.value(panel.cursor), now().y.at(now().inner / 2)];
  makeDraggable(line, hands, now, at, (x) => hands.setSliders({ [panel.cursor]: x }));
  return {
    nodes: [line],
    place({ x, left, top, inner }) {
      const value = hands.value(panel.cursor);
      fill(line, { d: x.drawable(value) ? `M${left + x.place(value)} ${top}v${inner}` : "" }, []);
    },
  };
}

// The points of a control, each a node that can be dragged.
function handlesOf(panel, now, hands) {
  const { groups, move, label } = hands.control(panel.handles);
  const places = () => hands.value(panel.handles);
  const axis = move === "y" ? 1 : 0; // of the value that a screen reader hears
  const isChosen = (i) => panel.choose && hands.value(panel.choose) === i + 1;
  const choose = (i) => panel.choose && hands.setSliders({ [panel.choose]: isChosen(i) ? 0 : i + 1 });
  // with three digits, so that an address gives the same state
  const moveTo = (i, x, y) => {
    const old = places()[i];
    const digits = (value) => Number(value.toPrecision(3));
    const target = [
      move.includes("x") ? digits(clamped(panel.x.limits, x)) : old[0],
      move.includes("y") ? digits(clamped(panel.y.limits, y)) : old[1],
    ];
    if (target[0] !== old[0] || target[1] !== old[1])
      hands.set(panel.handles, places().map((place, k) => (k === i ? target : place)));
  };
  const nodes = groups.map((group, i) => {
    const [low, high] = panel["xy"[axis]].limits;
    const words = { "aria-label": `${label}: point ${i + 1} of ${groups.length}` };
    const node = shape(
      "g",
      { class: "handle", role: "slider", tabindex: 0, ...words, "aria-valuemin": low, "aria-valuemax": high },
      shape("circle", { class: "reach", r: 22, ...pen(look.ring) }),
      shape("path", { class: "point", d: shapeOf(group)(0, 0, look.handle), ...tint(group), ...pen(look.edge) }),
    );
    makeDraggable(node, hands, now, () => places()[i], (x, y) => moveTo(i, x, y), () => choose(i));
    onKeys(node, hands, ({ key, shiftKey }) => {
      if (key === "Enter" && panel.choose) return choose(i) ?? true;
      if (!(key in ARROWS)) return false;
      const lengths = [panel.x, panel.y].map(({ limits }) => limits[1] - limits[0]);
      if (panel.equal) lengths.fill(Math.min(...lengths)); // a step is as long up as across
      const [across, up] = ARROWS[key].map((sign, k) => sign * (shiftKey ? 0.1 : 0.02) * lengths[k]);
      moveTo(i, places()[i][0] + across, places()[i][1] + up);
      return true;
    });
    lightUp(node, hands, panel.handles, () => [i]);
    return node;
  });
  hands.onLight(panel.handles, (lit) => nodes.forEach((node, i) => node.classList.toggle("lit", lit.includes(i))));
  return {
    nodes,
    place({ x, y, left, top }) {
      places().forEach((place, i) => {
        const at = `translate(${left + x.place(place[0])} ${top + y.place(place[1])})`;
        const value = { "aria-valuenow": place[axis], "aria-valuetext": spoken(place) };
        fill(nodes[i], { transform: at, "aria-disabled": String(!hands.enabled()), ...value }, []);
        nodes[i].classList.toggle("chosen", Boolean(isChosen(i)));
      });
    },
  };
}

// While a node is pointed at or has the focus, the parts of other panels that stand for the same are lit.
function lightUp(node, hands, link, indices) {
  for (const type of ["pointerenter", "focus"]) node.addEventListener(type, () => hands.light(link, indices()));
  for (const type of ["pointerleave", "blur"]) node.addEventListener(type, () => hands.light(link, []));
}

// The points of a plot that are switched on and off; one that is on can be dragged to where another is. Tab reaches one
// of them and arrow keys the others; with Shift they carry the one that is on.
function togglesOf(panel, now, hands) {
  const { count, label } = hands.control(panel.toggles);
  let places = [];
  let held = null; // the point on which a press began, if it is on
  const isOn = (i) => hands.value(panel.toggles).includes(i);
  const flip = (i) => {
    const on = hands.value(panel.toggles);
    if (hands.enabled()) hands.set(panel.toggles, isOn(i) ? on.filter((k) => k !== i) : [...on, i]);
  };
  const focusOn = (i) => {
    nodes.forEach((node, k) => node.setAttribute("tabindex", k === i ? 0 : -1));
    nodes[i].focus({ preventScroll: true });
  };
  const carry = (i, next) => {
    hands.set(panel.toggles, hands.value(panel.toggles).map((k) => (k === i ? next : k)));
    focusOn(next);
  };
  const inPixels = ([across, up]) => [now().x.place(across), now().y.place(up)];
  const away = (i, from) => inPixels(places[i]).map((pixel, axis) => pixel - from[axis]);
  // The nearest point of some; -1, if there is none.
  const nearestTo = (from, isWanted = () => true) => {
    const distances = places.map((_, i) => (isWanted(i) ? Math.hypot(...away(i, from)) : Infinity));
    const least = Math.min(...distances);
    return least < Infinity ? distances.indexOf(least) : -1;
  };
  // Where points are close, the one above would take the clicks of those below it.
  const under = ({ clientX, clientY, currentTarget }) => {
    const { left, top, width } = now();
    const box = currentTarget.ownerSVGElement.getBoundingClientRect();
    const zoom = width / box.width;
    return nearestTo([(clientX - box.left) * zoom - left, (clientY - box.top) * zoom - top]);
  };
  const follow = (...place) => {
    const next = nearestTo(inPixels(place), (i) => i === held || !isOn(i));
    if (next !== held) carry(held, next);
    held = next;
  };
  // The nearest point that is off, in a direction or at most 45 degrees beside it.
  const beyond = (i, [right, up]) => {
    const from = inPixels(places[i]);
    return nearestTo(from, (k) => {
      const [across, down] = away(k, from);
      const ahead = right * across - up * down;
      return !isOn(k) && ahead > 0 && ahead >= Math.abs(up * across + right * down);
    });
  };
  const nodes = Array.from({ length: count }, (_, i) => {
    const node = shape(
      "g",
      { class: "switch-point", role: "switch", tabindex: i ? -1 : 0 },
      shape("circle", { class: "reach", r: 12, ...pen(look.ring) }),
      shape("circle", { class: "point", ...pen(look.edge) }),
    );
    node.addEventListener("pointerdown", (event) => {
      const there = under(event);
      held = isOn(there) ? there : null;
    });
    const grip = { enabled: () => hands.enabled() && held !== null };
    makeDraggable(node, grip, now, () => places[held], follow, () => flip(held));
    node.addEventListener("click", (event) => {
      if (!event.detail) flip(i); // a screen reader's, which is nowhere
      else if (held === null) flip(under(event));
    });
    onKeys(node, hands, ({ key, shiftKey }) => {
      if (key === "Enter" || key === " ") flip(i);
      else if (!(key in ARROWS)) return false;
      else if (!shiftKey) focusOn((i + ARROWS[key][0] + ARROWS[key][1] + count) % count);
      else if (isOn(i) && beyond(i, ARROWS[key]) >= 0) carry(i, beyond(i, ARROWS[key]));
      return true;
    });
    return node;
  });
  return {
    nodes,
    place({ x, y, left, top }, series) {
      places = series.x.map((across, i) => [across, series.y[i]]);
      nodes.forEach((node, i) => {
        const on = isOn(i);
        const at = `translate(${left + x.place(places[i][0])} ${top + y.place(places[i][1])})`;
        const words = { "aria-checked": String(on), "aria-label": `${label}: point ${i + 1}, ${spoken(places[i])}` };
        fill(node, { transform: at, "aria-disabled": String(!hands.enabled()), ...words }, []);
        node.classList.toggle("on", on);
        fill(node.lastChild, { r: look.toggle[on ? "on" : "off"] }, []);
      });
    },
  };
}
