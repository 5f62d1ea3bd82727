// Sphinx's search page fetches every hit to quote from it; a page opened from a file may not fetch its neighbours.
if (location.protocol === "file:") {
  DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;
}

// On a narrow screen the theme opens a sidebar as a dialog; closed, it leaves the keyboard at the top of the page.
document.addEventListener("DOMContentLoaded", () => {
  for (const side of ["primary", "secondary"]) {
    const toggle = document.querySelector(`.${side}-toggle`);
    document.getElementById(`pst-${side}-sidebar-modal`)?.addEventListener("close", () => toggle.focus());
  }
});

// MathJax does not break lines: a formula wider than its column is marked, and book.css lets it scroll.
window.addEventListener("load", () => {
  window.MathJax?.startup.promise.then(() => {
    for (const formula of document.querySelectorAll("mjx-container:not([display])")) {
      const column = formula.closest("p, li, dt, dd, td, th, div");
      formula.classList.toggle("wide", formula.getBoundingClientRect().width > column.clientWidth);
    }
  });
});
