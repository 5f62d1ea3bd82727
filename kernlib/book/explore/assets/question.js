// The question that a reader answers or skips before the controls unlock.

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
    const marker = slider({ ...spec, play: 0, label: `Your guess: ${spec.label}` }, guessed);
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
  const done = (byHand, ...said) => {
    inputs.remove();
    buttons.remove();
    answer.append(...said);
    unlock(byHand);
  };
  const truth = () => [element("strong", {}, `Answer: ${show(predict.answer)}.`), ` ${predict.reason}`];
  commit.addEventListener("click", () => done(true, element("p", {}, `You said: ${show(guess)}. `, ...truth())));
  const folded = () =>
    element("details", {}, element("summary", {}, "Show the answer"), element("p", {}, ...truth()));
  skip.addEventListener("click", () => done(true, folded()));
  const next = element("small", {}, "Then controls appear.");
  const buttons = element("p", { class: "buttons" }, commit, skip, next);
  box.append(inputs, buttons, answer);
  const skipped = "A link led here, so the question is skipped.";
  const reveal = () => inputs.isConnected && done(false, element("p", {}, skipped), folded());
  return { box, reveal };
}
