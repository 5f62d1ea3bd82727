// What a test asks of a notebook that is open in JupyterLite, whose application is `jupyterapp`.
{
  const opened = () => window.jupyterapp.shell.currentWidget;

  // The cells' kinds, once the kernel is there.
  async function kinds() {
    await opened().sessionContext.ready;
    return opened().content.widgets.map(({ model }) => model.type);
  }

  // Run a cell as Shift+Enter does; give it as a file would hold it, null where it takes longer than the patience.
  async function run({ number, patience }) {
    const notebook = opened().content;
    notebook.deselectAll();
    notebook.activeCellIndex = number;
    const ended = window.jupyterapp.commands.execute("notebook:run-cell").then(() => true);
    const late = new Promise((resolve) => setTimeout(resolve, patience, false));
    return (await Promise.race([ended, late])) ? notebook.widgets[number].model.toJSON() : null;
  }

  // Bring a cell onto the page, from which JupyterLab takes what is far from the screen.
  async function show(number) {
    opened().content.activeCellIndex = number;
    await opened().content.scrollToItem(number, "center");
  }

  // From the next key on: the milliseconds until an explorer's readout, which Python writes, and a figure are others.
  function watch(explorer, patience) {
    const seen = () => {
      const [said, drawn] = [[], []];
      for (const drawing of explorer.querySelectorAll(".drawing")) {
        const pictures = [...drawing.querySelectorAll("canvas")].map((canvas) => canvas.toDataURL());
        (drawing.querySelector("output") ? said : drawn).push(drawing.innerHTML, ...pictures);
      }
      return [said.join(), drawn.join()];
    };
    const before = seen();
    window.answer = new Promise((resolve) => {
      explorer.addEventListener("keydown", () => {
        const start = performance.now();
        (function look() {
          const spent = performance.now() - start;
          if (seen().every((part, i) => part !== before[i])) resolve(spent);
          else if (spent > patience) resolve(null);
          else requestAnimationFrame(look);
        })();
      }, { capture: true, once: true });
    });
  }

  window.notebookPage = { kinds, run, show, watch };
}
