// A host of a live explorer, made up: no Jupyter, and Python answers when a test calls `answer`.
([spec, picture]) => {
  const state = { spec, values: { n: 1 }, picture };
  let changed = () => {};
  window.kernel = null; // what the host says of it
  window.answer = (picture) => { state.picture = picture; changed(); };
  const model = {
    get: (name) => state[name],
    set: (name, value) => { state[name] = value; },
    save_changes: () => {},
    on: (name, callback) => { changed = callback; },
    off: () => {},
    widget_manager: { get kernel() { return window.kernel; } },
  };
  KernlibExplore.widget.render({ model, el: document.querySelector("#cell") });
}
