// A point of a plot that a mouse or a finger drags.

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
