// On a narrow screen the theme opens a sidebar as a dialog; closed, it leaves the keyboard at the top of the page.
document.addEventListener("DOMContentLoaded", () => {
  for (const side of ["primary", "secondary"]) {
    const toggle = document.querySelector(`.${side}-toggle`);
    document.getElementById(`pst-${side}-sidebar-modal`)?.addEventListener("close", () => toggle.focus());
  }
});

// The theme's folds of the sidebar have a sign and no name.
document.addEventListener("DOMContentLoaded", () => {
  for (const fold of document.querySelectorAll(".bd-sidenav details > summary")) {
    const { previousElementSibling: link } = fold.parentElement;
    if (link) fold.setAttribute("aria-label", `Pages below ${link.textContent.trim()}`);
  }
});
