"""A notebook behind the button "Run here", in Chromium: each cell is run, each explorer moved by its keys."""

import json
import threading
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from hands import skip_questions

PATIENCE = 300_000  # milliseconds, for a page or a cell on a busy machine
SCRIPT = Path(__file__).with_suffix(".js")


class Handler(SimpleHTTPRequestHandler):
    """Serves files, and lets a page's scripts see JupyterLite's application."""

    extensions_map = SimpleHTTPRequestHandler.extensions_map | {".mjs": "text/javascript"}

    def do_GET(self):
        path = self.path.partition("?")[0]
        if not path.endswith("/lite/jupyter-lite.json"):
            return super().do_GET()
        settings = json.loads(Path(self.translate_path(path)).read_bytes())
        settings["jupyter-config-data"]["exposeAppInBrowser"] = "true"
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(json.dumps(settings).encode())

    def log_message(self, *_):
        pass


@contextmanager
def served(folder):
    """Serve a folder on loopback; give its address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()


def go_on(page, *choices):
    """Press what the page offers where packages are missing or a copy is kept, until the notebook opens."""
    for choice in choices:
        page.locator(f"button:has-text('{choice}'), .jp-CodeCell").first.wait_for()
        if page.locator(f"button:has-text('{choice}')").count():
            page.click(f"button:has-text('{choice}')")
    page.locator(".jp-CodeCell .cm-content").first.wait_for()


class NotebookPage:
    """The notebook of a page of a served book, opened by its button, with its explorers."""

    def __init__(self, context, address):
        self.page = context.new_page()
        self.page.set_default_timeout(PATIENCE)
        self.page.add_init_script(path=SCRIPT)
        self.page.goto(address)
        self.page.click(".run-here")
        go_on(self.page)
        self.page.wait_for_function("window.jupyterapp?.shell.currentWidget?.content?.widgets.length")

    def faults(self):
        """Run all cells, one after the other; say what is wrong, by the cells' names."""
        found = []
        for number, kind in enumerate(self.page.evaluate("notebookPage.kinds()")):
            if kind != "code":
                continue
            request = {"number": number, "patience": PATIENCE}
            cell = self.page.evaluate("request => notebookPage.run(request)", request)
            if cell is None:
                return [*found, f"code cell {number} has not ended: nothing after it was run"]
            found += [f"{cell['id']}: {fault}" for fault in self.cell_faults(number, cell)]
        return found

    def cell_faults(self, number, cell):
        """Say what is wrong with a cell that was run."""
        if cell["execution_count"] is None:
            yield "it was not run"
        for output in cell["outputs"]:
            if output["output_type"] == "error":
                yield f"{output['ename']}: {output['evalue']}"
            if "".join(output.get("data", {}).get("text/plain", "")).startswith("Explorer"):
                if not self.follows(number):
                    yield "the explorer does not follow its slider"

    def follows(self, number):
        """Press a key on the first slider of a cell's explorer; tell whether Python's answer is seen."""
        self.page.evaluate("number => notebookPage.show(number)", number)
        explorer = self.page.locator(f'.jp-Cell[data-windowed-list-index="{number}"] .kernlib-explorer')
        explorer.locator(".drawing").last.wait_for()
        skip_questions(explorer)
        slider = explorer.get_by_role("slider").first
        low = slider.evaluate("slider => slider.valueAsNumber <= slider.max / 2")
        explorer.evaluate("explorer => notebookPage.watch(explorer, 10_000)")
        slider.press("PageUp" if low else "PageDown")
        return self.page.evaluate("answer")
