// Axes: from numbers to pixels and back, and the ticks.

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
  const ticks = options.log ? logTicks(low, high, wanted) : linearTicks(low, high, wanted);
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
    ticks,
    tickText: ticks.every(isPower) ? powerText : show,
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

const isPower = (tick) => Number.isInteger(Math.log10(tick));

function powerText(tick) {
  const power = Math.log10(tick);
  return Math.abs(power) > 3 ? `10${superscript(power)}` : show(tick);
}
