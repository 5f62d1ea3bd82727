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

  // From the next key on: whether Python answers and what is drawn changes before the patience ends.
  function watch(explorer, patience) {
    const seen = () => {
      const drawings = [...explorer.querySelectorAll(".drawing")].map((drawing) => drawing.innerHTML);
      const pictures = [...explorer.querySelectorAll("canvas")].map((canvas) => canvas.toDataURL());
      return [...drawings, ...pictures].join();
    };
    const before = seen();
    let answered = false; // a cursor goes ahead of Python
    opened().sessionContext.session.kernel.iopubMessage.connect((_, message) => {
      answered ||= "picture" in (message.content.data?.state ?? {});
    });
    window.answer = new Promise((resolve) => {
      const pressed = () => {
        const start = performance.now();
        (function look() {
          if (answered && seen() !== before && !explorer.querySelector(".error").textContent) resolve(true);
          else if (performance.now() - start > patience) resolve(false);
          else requestAnimationFrame(look);
        })();
      };
      explorer.addEventListener("keydown", pressed, { capture: true, once: true });
    });
  }

  window.notebookPage = { kinds, run, show, watch };
}
