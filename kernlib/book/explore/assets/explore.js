// The explorers' renderer, one file for two hosts. In the book it is a classic script: the element <kernlib-explorer>
// holds the pictures of all stops as numbers. In Jupyter the same text is a module (kernlib/book/explore/live.py adds its
// export): each move asks Python. It depends on nothing, and defines one name. Colors, dashes and sizes come with each
// explorer's description (kernlib/book/explore/look.py).
//
//   numbers · axes · panels · controls · the question · mount (all of these together) · the two hosts

var KernlibExplore = (() => {
  "use strict";

  // ------------------------ numbers, as kernlib.book.explore.marks.show has them

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
        ? `${digits}·10${superscript(power)}`
        : String(Number(value.toPrecision(4)));
    return text.replace("-", "−");
  }

  // ------------------------ elements

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

  // ------------------------ how all looks

  let look; // one for all explorers of a page; `mount` puts it here

  // Each series has two colors, of which the stylesheet lets one through (see --in-light there).
  const colors = () =>
    look.series
      .map(({ light, dark }, i) => `--series-${i}: var(--in-light, ${light}) var(--in-dark, ${dark});`)
      .join("");
  const tint = (number) => ({ style: `color: var(--series-${number % look.series.length})` });
  const pen = ({ width, dashes }) => ({ "stroke-width": width, "stroke-dasharray": dashes.join(" ") || null });

  // ------------------------ axes: from numbers to pixels

  const MOST_TICKS = 50; // an axis wants ten

  function extent(values, { log, limits }, withZero) {
    const least = log ? 1 / look.largest : -look.largest;
    // Python refuses limits that no axis has; here they are those of the data
    if (limits && least <= limits[0] && limits[0] < limits[1] && limits[1] <= look.largest) return limits;
    const drawn = values
      .filter((value) => value !== null && (!log || value > 0))
      .map((value) => Math.min(look.largest, Math.max(least, value)));
    if (withZero && !log) drawn.push(0);
    if (!drawn.length) return log ? [1, 10] : [0, 1];
    const low = drawn.reduce((a, b) => Math.min(a, b));
    const high = drawn.reduce((a, b) => Math.max(a, b));
    if (log) {
      const room = low === high ? 2 : (high / low) ** 0.03;
      return [low / room, high * room];
    }
    const room = [0.03 * (high - low), Math.abs(low) / 2].find((room) => room > 1 / look.largest) || 1;
    return [low - room, high + room];
  }

  function axis(values, options, from, to, room, withZero = false) {
    const [low, high] = extent(values, options, withZero);
    const wanted = Math.max(3, Math.round(room)); // ticks
    const level = options.log ? Math.log10 : (value) => value;
    const slope = (to - from) / (level(high) - level(low));
    return {
      low,
      high,
      drawable: (value) => value !== null && (!options.log || value > 0),
      // in tenths of a pixel; what lies far off the axis stays within what SVG can count, what is no number at 0
      place: (value) =>
        Math.min(1e5, Math.max(-1e5, Math.round(10 * (from + slope * (level(value) - level(low)))) / 10)) || 0,
      // what lies so many pixels along it
      at: (pixel) => {
        const there = level(low) + (pixel - from) / slope;
        return options.log ? 10 ** there : there;
      },
      ticks: options.log ? logTicks(low, high, wanted) : linearTicks(low, high, wanted),
    };
  }

  // The limits around the same middle, so far apart.
  const widened = ({ low, high }, length) => [(low + high - length) / 2, (low + high + length) / 2];

  function linearTicks(low, high, wanted) {
    const power = 10 ** Math.floor(Math.log10((high - low) / wanted));
    const multiple = [1, 2, 5, 10].find((multiple) => power * multiple * wanted >= high - low);
    const inSteps = (step) => {
      const ticks = [];
      const first = Math.ceil(low / step);
      for (let i = 0; i < MOST_TICKS && (first + i) * step <= high; i++)
        ticks.push(Number(((first + i) * step).toPrecision(12)));
      return ticks;
    };
    const ticks = inSteps(power * multiple);
    // one or two numbers tell no scale
    return ticks.length > 2 ? ticks : inSteps((power * multiple) / (multiple === 5 ? 2.5 : 2));
  }

  function logTicks(low, high, wanted) {
    const [first, last] = [Math.ceil(Math.log10(low) - 1e-9), Math.floor(Math.log10(high) + 1e-9)];
    const every = Math.max(1, Math.ceil((last - first + 1) / wanted));
    const digits = last - first >= 2 ? [1] : [1, 2, 5];
    const ticks = [];
    for (let power = first - 1; power <= last; power++) {
      if ((power - first) % every) continue;
      for (const digit of digits) {
        const tick = Number(`${digit}e${power}`);
        if (tick >= low * (1 - 1e-9) && tick <= high * (1 + 1e-9)) ticks.push(tick);
      }
    }
    return ticks.length > 1 ? ticks : linearTicks(low, high, wanted);
  }

  function tickText(tick) {
    const power = Math.log10(Math.abs(tick));
    return tick && Number.isInteger(power) && (power < -3 || power > 3) ? `10${superscript(power)}` : show(tick);
  }

  // ------------------------ panels

  const POINTS = {
    o: (x, y, r) => `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`,
    s: (x, y, r) => `M${x - r} ${y - r}h${2 * r}v${2 * r}h${-2 * r}z`,
    "^": (x, y, r) => `M${x} ${y - 1.3 * r}l${1.3 * r} ${2.2 * r}h${-2.6 * r}z`,
    D: (x, y, r) => `M${x} ${y - 1.4 * r}l${1.4 * r} ${1.4 * r}l${-1.4 * r} ${1.4 * r}l${-1.4 * r} ${-1.4 * r}z`,
  };

  function curve(series, x, y) {
    let path = "";
    let drawing = false;
    series.x.forEach((value, i) => {
      const drawable = x.drawable(value) && y.drawable(series.y[i]);
      // h0 makes a dot of a point that stands alone
      if (drawable) path += `${drawing ? "L" : "M"}${x.place(value)} ${y.place(series.y[i])}${drawing ? "" : "h0"}`;
      drawing = drawable;
    });
    return path;
  }

  function band(series, x, y) {
    const edge = (value) => y.place(Math.max(value, y.low)); // a band below a logarithmic axis ends at its foot
    const there = series.x
      .map((value, i) => i)
      .filter((i) => x.drawable(series.x[i]) && y.drawable(series.high[i]) && series.low[i] !== null);
    const up = there.map((i) => `${x.place(series.x[i])} ${y.place(series.high[i])}`);
    const down = there.reverse().map((i) => `${x.place(series.x[i])} ${edge(series.low[i])}`);
    return there.length ? `M${[...up, ...down].join("L")}z` : "";
  }

  // The places in pixels of the points that can be drawn.
  const placed = (series, x, y) =>
    series.x
      .map((value, i) => [value, series.y[i]])
      .filter(([left, top]) => x.drawable(left) && y.drawable(top))
      .map(([left, top]) => [x.place(left), y.place(top)]);
  const path = (kind, d, more) => shape("path", { class: kind, d, ...more });

  // One function for each mark: paths of a series with a number among others, on two axes.
  const MARKS = {
    line: (series, number, x, y) => [
      series.low && path("band", band(series, x, y), { opacity: look.band }),
      path("line", curve(series, x, y), pen(look.lines[series.style])),
    ],
    dots: (series, number, x, y) => {
      const point = POINTS[look.points[number % look.points.length]];
      const d = placed(series, x, y).map(([left, top]) => point(left, top, look.dots[series.style]));
      return [path(`dots ${series.style}`, d.join(""))];
    },
    bars: (series, number, x, y) => {
      const places = placed(series, x, y);
      const width = look.bar * Math.min(...places.slice(1).map(([left], i) => left - places[i][0]), 40);
      const foot = y.place(y.drawable(0) ? 0 : y.low);
      const d = places.map(([left, top]) => `M${left - width / 2} ${foot}V${top}h${width}V${foot}z`);
      return [path("bars", d.join(""))];
    },
  };

  function marks(series, number, x, y) {
    const gray = series.mark === "line" && look.lines[series.style].gray;
    return shape(
      "g",
      gray ? { class: "gray" } : tint(number),
      ...MARKS[series.mark](series, number, x, y).filter(Boolean),
    );
  }

  function legend(frame) {
    const named = frame.series.map((series, number) => ({ series, number })).filter(({ series }) => series.label);
    if (!named.length) return null;
    // a sample of each series, drawn by the code that draws the series
    const here = { low: 0, drawable: () => true, place: (value) => value };
    return element(
      "ul",
      { class: "legend" },
      ...named.map(({ series, number }) => {
        const places = { line: { x: [1, 25], y: [7, 7] }, dots: { x: [13], y: [7] }, bars: { x: [13], y: [12] } };
        const sample = { ...series, ...places[series.mark], ...(series.low && { low: [2, 2], high: [12, 12] }) };
        const picture = shape(
          "svg",
          { width: 26, height: 14, "aria-hidden": "true" },
          marks(sample, number, here, here),
        );
        return element("li", {}, picture, series.label);
      }),
    );
  }

  // Room for the first and the last bar, half of which would lie beyond the axis.
  function barEdges(frame) {
    return frame.series
      .filter(({ mark, x }) => mark === "bars" && x.length > 1)
      .flatMap(({ x }) => {
        const half = (x[1] - x[0]) / 2;
        return [x[0] - half, x[x.length - 1] + half];
      });
  }

  // Where everything of a plot lies: a function of what is drawn, of the cursors and of the width.
  function geometry(panel, frame, values, guess, width) {
    const height = Math.round(Math.min(300, Math.max(200, 0.68 * width)));
    const every = (key) => frame.series.flatMap((series) => series[key] || []);
    const ys = [...every("y"), ...every("low"), ...every("high")];
    const bars = frame.series.some((series) => series.mark === "bars");
    const bottom = panel.x.label ? 44 : 26;
    const [top, right] = [panel.y.label ? 26 : 10, 14];
    const inner = height - top - bottom;
    let y = axis(ys, panel.y, inner, 0, inner / 40, bars);
    const left = 14 + 7 * Math.max(...y.ticks.map((tick) => tickText(tick).length), 1);
    const across = Math.max(10, width - left - right);
    let cursors = panel.cursor === null ? [] : [["cursor", values[panel.cursor]]];
    if (guess && guess.name === panel.cursor) cursors.push(["guess", guess.value]);
    const xs = [...every("x"), ...cursors.map(([, value]) => value)];
    if (bars) xs.push(...barEdges(frame));
    let x = axis(xs, panel.x, 0, across, across / 65);
    cursors = cursors.filter(([, value]) => x.drawable(value));
    if (panel.equal) {
      const unit = Math.max((x.high - x.low) / across, (y.high - y.low) / inner);
      x = axis(xs, { limits: widened(x, unit * across) }, 0, across, across / 65);
      y = axis(ys, { limits: widened(y, unit * inner) }, inner, 0, inner / 40);
    }
    return { x, y, cursors, width, height, left, top, across, inner };
  }

  // All of a plot that stays while its axes do; `inside`, an svg that cuts off what lies beyond them, holds the rest.
  function axesOf(panel, { x, y, width, height, left, top, across, inner }) {
    const grid = shape("g", { class: "grid" });
    const text = shape("g", { class: "ticks" });
    for (const tick of x.ticks) {
      const place = left + x.place(tick);
      grid.append(shape("path", { d: `M${place} ${top}v${inner}` }));
      text.append(shape("text", { x: place, y: top + inner + 17, "text-anchor": "middle" }, tickText(tick)));
    }
    for (const tick of y.ticks) {
      const place = top + y.place(tick);
      grid.append(shape("path", { d: `M${left} ${place}h${across}` }));
      text.append(shape("text", { x: left - 6, y: place + 4, "text-anchor": "end" }, tickText(tick)));
    }
    const inside = shape("svg", { x: left, y: top, width: across, height: inner });
    const frameLines = shape("path", { class: "axes", d: `M${left} ${top}v${inner}h${across}` });
    const names = shape(
      "g",
      { class: "names" },
      shape("text", { x: 2, y: 14 }, panel.y.label),
      shape("text", { x: left + across / 2, y: height - 6, "text-anchor": "middle" }, panel.x.label),
    );
    const box = { width, height, viewBox: `0 0 ${width} ${height}` }; // print makes it narrower
    const picture = shape(
      "svg",
      { ...box, role: "img", "aria-label": panel.alt },
      grid,
      frameLines,
      inside,
      text,
      names,
    );
    return { inside, picture };
  }

  // Legend and axes are made anew only where they are others; a move that leaves them costs the curves alone.
  function plot(slot, panel, dragged) {
    const named = element("div");
    let [names, frameOf, there, now] = [];
    const grip = panel.drag && gripOf(panel, () => now, dragged);
    return (frame, { values, guess, veiled, width }) => {
      if (!width) return; // not on screen yet
      now = geometry(panel, frame, values, guess, width);
      const { x, y, cursors, across, inner, left, top } = now;
      const wanted = JSON.stringify(frame.series.map(({ label, mark, style, low }) => [label, mark, style, !low]));
      if (wanted !== names) named.replaceChildren(...[legend(frame)].filter(Boolean));
      names = wanted;
      const axes = JSON.stringify([x.low, x.high, y.low, y.high, across, inner]);
      if (axes !== frameOf) {
        there = axesOf(panel, now);
        slot.replaceChildren(named, there.picture);
        if (grip) there.picture.append(grip);
      }
      frameOf = axes;
      const curves = frame.series.map((series, number) => marks(series, number, x, y));
      there.inside.replaceChildren(
        ...(veiled ? [shape("g", { class: "veiled" }, ...curves)] : curves),
        ...cursors.map(([kind, value]) => path(kind, `M${x.place(value)} 0V${inner}`, pen(look[kind]))),
      );
      if (grip) {
        const [across_, up] = panel.drag.map((name) => values[name]);
        fill(grip, { cx: left + x.place(across_), cy: top + y.place(up) }, []);
      }
    };
  }

  // What mouse and finger take hold of: it says where they pull it, in the plot's own numbers.
  function gripOf(panel, now, dragged) {
    const grip = shape("circle", { class: "grip", r: 20 });
    let origin = null;
    grip.addEventListener("pointerdown", (event) => {
      const box = grip.ownerSVGElement.getBoundingClientRect();
      const zoom = now().width / box.width;
      origin = { left: box.left + scrollX, top: box.top + scrollY, zoom };
      grip.setPointerCapture(event.pointerId);
      event.preventDefault();
    });
    grip.addEventListener("pointermove", (event) => {
      if (!origin) return;
      const { x, y, left, top } = now();
      const across = (event.pageX - origin.left) * origin.zoom - left;
      dragged({ [panel.drag[0]]: x.at(across), [panel.drag[1]]: y.at((event.pageY - origin.top) * origin.zoom - top) });
    });
    for (const end of ["pointerup", "pointercancel"]) grip.addEventListener(end, () => (origin = null));
    return grip;
  }

  function color(byte) {
    const stops = look.heat;
    const position = (byte / (look.hidden - 1)) * (stops.length - 1);
    const i = Math.min(Math.floor(position), stops.length - 2);
    return stops[i].map((from, channel) => from + (position - i) * (stops[i + 1][channel] - from));
  }

  const heat = (slot, panel) => (frame) => {
    const [rows, columns] = frame.shape;
    if (!(rows && columns)) return slot.replaceChildren();
    const canvas = element("canvas", { width: columns, height: rows, role: "img", "aria-label": panel.alt });
    const pixels = new ImageData(columns, rows);
    const cells = atob(frame.cells);
    for (let i = 0; i < cells.length; i++) {
      const byte = cells.charCodeAt(i);
      pixels.data.set(byte === look.hidden ? [0, 0, 0, 0] : [...color(byte), 255], 4 * i);
    }
    canvas.getContext("2d").putImageData(pixels, 0, 0);
    const scale = element(
      "p",
      { class: "scale" },
      show(frame.low),
      element("span", { class: "ramp", style: `--ramp: ${look.heat.map((stop) => `rgb(${stop})`)}` }),
      show(frame.high),
    );
    slot.replaceChildren(canvas, scale);
  };

  const table = (slot, panel) => (frame) => {
    const all = element("table", { "aria-label": panel.alt });
    if (frame.columns) {
      const names = frame.columns.map((name) => element("th", { scope: "col" }, name));
      all.append(element("thead", {}, element("tr", {}, frame.rows && element("td"), ...names)));
    }
    const [row, column] = frame.marked || [];
    const body = frame.values.map((cells, i) =>
      element(
        "tr",
        {},
        frame.rows && element("th", { scope: "row" }, frame.rows[i]),
        ...cells.map((cell, j) => element("td", { class: i === row && j === column && "marked" }, cell)),
      ),
    );
    all.append(element("tbody", {}, ...body));
    slot.replaceChildren(all);
  };

  function readout(slot) {
    const output = element("output"); // it stays, so that a screen reader speaks what changes
    slot.append(output);
    // A sentence that wraps once keeps its second line, so that the panels below do not jump.
    let tallest = [0, 0]; // for which width
    new ResizeObserver(([{ contentRect }]) => {
      const { width, height } = contentRect;
      if (width !== tallest[0]) slot.style.minHeight = "";
      else if (height > tallest[1]) slot.style.minHeight = `${height}px`;
      if (width !== tallest[0] || height > tallest[1]) tallest = [width, height];
    }).observe(output);
    return (frame) => (output.textContent = frame);
  }

  // One function for each kind of panel. It gets the slot to draw in, the panel, and what to call with the values that
  // a hand in the picture asks for; it gives draw(frame, { values, guess, veiled, width }).
  const DRAW = { plot, heat, table, readout };

  // ------------------------ controls: an element each, and a way to set it

  const labeled = (id, label, ...nodes) =>
    element("div", { class: "control" }, element("label", { for: id }, label), ...nodes);

  // The place of the number nearest to a value.
  const nearest = (values, value) =>
    values.reduce((best, v, i) => (Math.abs(v - value) < Math.abs(values[best] - value) ? i : best), 0);

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
    const node = labeled(id, label, input, output);
    node.style.setProperty("--stops", values.length); // for its length
    return { set, node };
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

  const CONTROLS = { slider, choice, text: textBox };

  // ------------------------ the question before the controls unlock

  function question(predict, controls, placed, unlock) {
    const box = element(
      "fieldset",
      { class: "question" },
      element("legend", {}, "Predict"),
      element("p", {}, predict.question),
    );
    const commit = element("button", { type: "button", disabled: true }, "Commit");
    const skip = element("button", { type: "button", class: "quiet" }, "Skip");
    let guess = null;
    const guessed = (value) => {
      guess = value;
      commit.disabled = false;
      if (predict.marker) placed(value);
    };
    const inputs = element("div", { class: "inputs" });
    if (predict.marker) {
      const spec = controls.find((control) => control.name === predict.marker);
      const marker = slider({ ...spec, label: `Your guess: ${spec.label}` }, guessed);
      marker.set(spec.default);
      inputs.append(marker.node);
    }
    const name = newId();
    for (const option of predict.options) {
      const radio = element("input", { type: "radio", name });
      radio.addEventListener("change", () => guessed(option));
      inputs.append(element("label", {}, radio, ` ${option}`));
    }
    const answer = element("div", { class: "answer", role: "status" });
    const done = (...said) => {
      inputs.remove();
      buttons.remove();
      answer.append(...said);
      unlock();
    };
    const truth = () => [element("strong", {}, `Answer: ${show(predict.answer)}.`), ` ${predict.reason}`];
    commit.addEventListener("click", () => done(element("p", {}, `You said: ${show(guess)}. `, ...truth())));
    const folded = () =>
      element("details", {}, element("summary", {}, "Show the answer"), element("p", {}, ...truth()));
    skip.addEventListener("click", () => done(folded()));
    const buttons = element("p", { class: "buttons" }, commit, skip);
    box.append(inputs, buttons, answer, element("p", { class: "print" }, ...truth()));
    const reveal = () => inputs.isConnected && done(element("p", {}, "The link shows the answer."), folded());
    return { box, reveal };
  }

  // ------------------------ all of it in one place

  // ask(values) is called when the reader moved something; the host then calls show({values, panels or error}). Where
  // the host has an address of a state, addressOf(values), a button copies it.
  function mount(root, spec, ask, addressOf = null) {
    look = spec.look;
    const defaults = Object.fromEntries(spec.controls.map((control) => [control.name, control.default]));
    const values = { ...defaults };
    let frames = null;
    let guess = null;
    const moved = (name) => (value) => {
      values[name] = value;
      ask({ ...values }); // the book answers at once, and all is drawn
      draw(); // Python takes a while: the cursor goes ahead
    };
    const controls = spec.controls.map((control) => CONTROLS[control.kind](control, moved(control.name)));
    const move = (target) => {
      Object.assign(values, target);
      spec.controls.forEach(({ name }, i) => controls[i].set(values[name]));
    };
    const moveAndAsk = (target) => {
      move(target);
      ask({ ...values });
      draw();
    };
    const dragged = (target) => {
      const stops = {};
      for (const { name, values: all } of spec.controls)
        if (name in target) stops[name] = all[nearest(all, target[name])];
      if (!board.disabled && Object.keys(stops).some((name) => stops[name] !== values[name])) moveAndAsk(stops);
    };

    const reset = element("button", { type: "button", class: "quiet" }, "Reset");
    reset.addEventListener("click", () => moveAndAsk(defaults));
    const copy = addressOf && copyButton(() => addressOf(values));
    const buttons = element("div", { class: "buttons" }, reset, copy);
    const nodes = controls.map(({ node }) => node);
    const board = element("fieldset", { class: "controls" }, element("legend", {}, "Controls"), ...nodes);
    const titled = (kind, text) => (text ? element("p", { class: kind }, text) : null);
    const slots = spec.panels.map((panel, i) => element("div", { class: "drawing", "data-panel": i }));
    const drawings = spec.panels.map((panel, i) => DRAW[panel.kind](slots[i], panel, dragged));
    const figures = spec.panels.map(({ kind, title }, i) =>
      element("div", { class: `panel is-${kind}` }, titled("title", title), slots[i]),
    );
    const [said, pictures] = [true, false].map((wanted) =>
      figures.filter((figure, i) => (spec.panels[i].kind === "readout") === wanted),
    );
    const alert = element("p", { class: "error", role: "alert" });
    const place = (value) => {
      guess = { name: spec.predict.marker, value };
      draw();
    };
    const unlock = () => {
      board.disabled = reset.disabled = false;
      draw();
    };
    const first = spec.predict && question(spec.predict, spec.controls, place, unlock);
    board.disabled = reset.disabled = Boolean(first);

    // Controls and readout stay in view while the panels scroll (see .board in the stylesheet), if there is room.
    const head = element("div", { class: "board" }, controls.length ? board : null, ...said);
    fill(root, { role: "group", tabindex: -1, "aria-label": spec.title || "Explorer", style: colors() }, [
      titled("heading", spec.title),
      first?.box,
      head,
      alert,
      element("div", { class: "panels" }, ...pictures),
      controls.length ? buttons : null,
    ]);

    // A panel is drawn again only if its numbers, its cursors or its width are others than before. Widths are read
    // when they change and not at each move: to read one lays out the page anew, which takes long on a long page.
    const drawn = spec.panels.map(() => null);
    let widths = spec.panels.map(() => 0);
    function draw() {
      if (!frames) return;
      spec.panels.forEach((panel, i) => {
        // a marker is placed on empty axes: the curves come with the answer, on paper at once as that does
        const veiled = board.disabled && spec.predict.marker !== null && spec.predict.marker === panel.cursor;
        const width = (widths[i] ||= slots[i].clientWidth);
        const held = (panel.drag || []).map((name) => values[name]);
        const state = [frames[i], values[panel.cursor], guess, veiled, width, ...held];
        if (drawn[i] && state.every((part, j) => part === drawn[i][j])) return;
        drawings[i](frames[i], { values, guess, veiled, width });
        drawn[i] = state;
      });
    }
    new ResizeObserver(() => {
      widths = slots.map((slot) => slot.clientWidth);
      head.classList.toggle("tall", head.offsetHeight > innerHeight / 2);
      draw();
    }).observe(root);

    move({});
    return {
      values,
      move,
      reveal: () => first?.reveal(),
      show(picture) {
        alert.textContent = picture.error || "";
        root.classList.toggle("stale", Boolean(picture.error));
        if (picture.panels) frames = picture.panels;
        draw();
      },
    };
  }

  // A button that copies an address, and says so; where the browser refuses, it shows the address to be copied by hand.
  function copyButton(address) {
    const button = element("button", { type: "button", class: "quiet" }, "Copy link to this state");
    const status = element("span", { class: "copied", role: "status" });
    button.addEventListener("click", async () => {
      status.replaceChildren();
      try {
        await navigator.clipboard.writeText(address());
        status.append("Copied.");
      } catch {
        const text = element("input", { type: "text", readonly: true, value: address(), "aria-label": "Link" });
        status.append("Copy it from here: ", text);
        text.focus();
        text.select();
      }
    });
    return element("span", {}, button, status);
  }

  // ------------------------ host one: the book

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

  // Explorers begin when they come near the screen; until then, and in print, the plain figure stands for them.
  const near = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) if (isIntersecting) setTimeout(() => target.begin());
    },
    { rootMargin: "800px 0px" },
  );

  class BookExplorer extends HTMLElement {
    connectedCallback() {
      this.closest(".output")?.classList.add("holds-explorer"); // for the stylesheet
      addEventListener("hashchange", this); // anew where a script takes the element out and puts it back
      if (this.view) return;
      // The parser may be at its first tag: then the numbers are still to come.
      if (this.querySelector("script")) this.arrive();
      else addEventListener("DOMContentLoaded", () => this.arrive(), { once: true });
      this.addEventListener("focusin", this);
    }

    // One at the top of a page begins before it is painted, or the page would jump.
    arrive() {
      const first = this === document.querySelector("kernlib-explorer");
      const wanted = this.isNamed() || (this.id && location.hash === `#${this.id}`); // whoever came for it waits for it
      if (wanted || (first && this.getBoundingClientRect().top < innerHeight)) this.begin();
      else near.observe(this);
    }

    disconnectedCallback() {
      removeEventListener("hashchange", this);
      near.unobserve(this);
    }

    handleEvent({ type, target }) {
      if (type === "hashchange" && this.isNamed()) this.fromAddress();
      if (type !== "focusin" || this.view) return;
      this.begin(); // the keyboard came to the plain figure, which goes
      if (!target.checkVisibility?.()) this.querySelector("input, select, button")?.focus();
    }

    isNamed() {
      return Boolean(this.dataset.name && partOf(this.dataset.name));
    }

    // Read the numbers, and put the controls and panels in place of the plain figure.
    begin() {
      if (this.view) return;
      near.unobserve(this);
      const { spec, frames, pool } = JSON.parse(this.querySelector("script").textContent);
      const revive = (value) => {
        if (value === null || typeof value !== "object") return value;
        if ("#" in value) return pool[value["#"]];
        if (Array.isArray(value)) return value.map(revive);
        return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, revive(part)]));
      };
      const revived = frames.map(() => new Map()); // so that an unchanged panel is the same object
      const controls = new Map(spec.controls.map((control) => [control.name, control]));
      const place = (name, values) => controls.get(name).values.indexOf(values[name]);
      this.picture = (values) =>
        spec.panels.map((panel, i) => {
          const at = panel.depends.reduce(
            (sum, name) => sum * controls.get(name).values.length + place(name, values),
            0,
          );
          if (!revived[i].has(at)) revived[i].set(at, revive(frames[i][at]));
          return revived[i].get(at);
        });
      const all = (values) => spec.controls.map(({ name }) => setting(name, values)).join(",");
      const root = document.createElement("div");
      this.append(root);
      this.spec = spec;
      this.view = mount(
        root,
        spec,
        (values) => {
          this.view.show({ panels: this.picture(values) });
          clearTimeout(this.timer);
          this.timer = setTimeout(() => this.toAddress(), 250); // browsers count how often it changes
        },
        spec.name && spec.controls.length ? (values) => addressWith(spec.name, all(values)) : null,
      );
      const named = this.isNamed();
      this.fromAddress();
      this.classList.add("ready"); // only now, all being well, the plain figure goes
      if (named && parts()[0].startsWith(`${spec.name}:`)) this.scrollIntoView();
      if (named && location.search === "?full") this.alone(root);
    }

    // Alone on the screen and larger, for a projector.
    alone(root) {
      const leave = () => location.replace(location.pathname + location.hash);
      const button = element("button", { type: "button", class: "quiet" }, "Back to the page (Esc)");
      button.addEventListener("click", leave);
      addEventListener("keydown", ({ key }) => key === "Escape" && leave());
      root.append(button);
      this.classList.add("full");
      document.body.classList.add("holds-full-explorer");
    }

    // What an address doesn't name stands as in the first picture.
    fromAddress() {
      this.begin();
      const target = Object.fromEntries(this.spec.controls.map((control) => [control.name, control.default]));
      for (const part of (partOf(this.spec.name) || ":").slice(this.spec.name.length + 1).split(",")) {
        const [name, text] = part.split("=").map(decoded);
        const control = this.spec.controls.find((control) => control.name === name);
        if (control && text !== undefined) target[name] = meant(control, text) ?? control.default;
      }
      this.view.move(target);
      this.view.show({ panels: this.picture(this.view.values) });
    }

    toAddress() {
      const { name, controls } = this.spec;
      if (!name) return;
      const changed = controls.filter((control) => this.view.values[control.name] !== control.default);
      const settings = changed.map((control) => setting(control.name, this.view.values)).join(",");
      history.replaceState(history.state, "", addressWith(name, settings));
    }

    // A link on this page leads here. One that was folded away, as answers are, may show what the question asks.
    follow(link) {
      this.fromAddress();
      if (link.closest("details")) this.view.reveal();
      this.scrollIntoView();
      this.querySelector("[role=group]").focus({ preventScroll: true });
    }
  }

  // Links to states on their own page move their explorer, also where the address has the state already.
  function followLink(event) {
    const link = event.target.closest?.("a[href*='#']");
    if (!link || event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    const [page, hash] = link.href.split("#");
    const [, name, settings] = /^([a-z][a-z0-9-]*):([^;]*)$/.exec(hash) || [];
    const explorer = name && document.querySelector(`kernlib-explorer[data-name="${name}"]`);
    if (!explorer || page !== location.href.split("#")[0]) return;
    event.preventDefault();
    history.pushState(null, "", addressWith(name, settings)); // Back leads to where the link was
    explorer.follow(link);
  }

  // ------------------------ host two: Jupyter, Colab, VS Code, through anywidget

  const PATIENCE = 2000; // milliseconds that an answer may take, unless the host says that Python computes
  const STOPPED = "Python has stopped: run the cell again.";

  const computes = ({ widget_manager }) => {
    const kernel = widget_manager?.kernel; // JupyterLab and Notebook tell
    return kernel?.connectionStatus === "connected" && kernel.status === "busy";
  };

  // Whether the host is dark behind an element: the first ground that is no glass decides.
  function isOnDark(node) {
    for (; node; node = node.parentElement) {
      const [, numbers = "0,0,0,0"] = /^rgba?\((.+)\)/.exec(getComputedStyle(node).backgroundColor) || [];
      const [red, green, blue, opacity = 1] = numbers.split(",").map(Number);
      if (opacity > 0.5) return 0.299 * red + 0.587 * green + 0.114 * blue < 128;
    }
    return false;
  }

  const widget = {
    render({ model, el }) {
      const root = element("div", { class: "kernlib-explorer live", "data-lm-suppress-shortcuts": "true" });
      el.append(root);
      setTimeout(() => {
        const named = getComputedStyle(root).getPropertyValue("--jp-layout-color0"); // the host's colors
        root.classList.toggle("on-dark", !named && isOnDark(el));
      }); // once it is in the page
      let asked = null; // one question under way; what comes meanwhile waits, and the last one wins
      let waiting = null;
      const same = (a, b) => Object.keys(a).every((name) => a[name] === b[name]);
      const send = () => {
        const wanted = waiting;
        waiting = null;
        if (same(wanted, model.get("values"))) return; // nothing would be sent, and no answer come
        asked = wanted;
        model.set("values", asked);
        model.save_changes();
        wait();
      };
      let patience;
      const wait = () => {
        clearTimeout(patience);
        patience = setTimeout(() => (computes(model) ? wait() : view.show({ error: STOPPED })), PATIENCE);
      };
      const view = mount(root, model.get("spec"), (values) => {
        waiting = values;
        if (!asked) send();
      });
      const answer = () => {
        const picture = model.get("picture");
        clearTimeout(patience);
        asked = null;
        if (waiting) send();
        if (!asked) view.move(picture.values); // it may be Python that moved
        view.show(picture);
      };
      model.on("change:picture", answer);
      answer();
      return () => {
        clearTimeout(patience);
        model.off("change:picture", answer);
      };
    },
  };

  return { BookExplorer, followLink, widget };
})();

if (!customElements.get("kernlib-explorer")) {
  customElements.define("kernlib-explorer", KernlibExplore.BookExplorer);
  document.addEventListener("click", KernlibExplore.followLink);
}
