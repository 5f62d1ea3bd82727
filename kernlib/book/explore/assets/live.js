// The host of Jupyter, Colab and VS Code, through anywidget: each move asks Python.

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
    const same = (a, b) => Object.keys(a).every((name) => textOf(a[name]) === textOf(b[name]));
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
