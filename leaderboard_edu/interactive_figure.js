// What a figure with controls does on the page. THE-KEY becomes the id of the figure.
(() => {
  const figure = document.getElementById("THE-KEY");
  const data = JSON.parse(figure.querySelector('script[type="application/json"]').textContent);
  const picture = figure.querySelector("img, svg");
  const parts = [picture, ...picture.querySelectorAll("*")];
  const inputs = [...figure.querySelectorAll("input")];
  const buttons = [...figure.querySelectorAll("button")];
  const outputs = figure.querySelectorAll("output");
  const rows = figure.querySelectorAll("tbody tr");
  let playing;
  const show = () => {
    const frame = inputs.reduce((index, input, i) => index * data.shown[i].length + Number(input.value), 0);
    data.slots.forEach(([part, name], i) => {
      const value = data.values[data.frames[frame][i]];
      if (name) parts[part].setAttribute(name, value);
      else parts[part].textContent = value;
    });
    inputs.forEach((input, i) => {
      outputs[i].textContent = data.shown[i][input.value];
      input.setAttribute("aria-valuetext", data.shown[i][input.value]);
    });
    rows.forEach((row, i) => row.setAttribute("aria-current", i === frame));
  };
  const press = (button, pressed) => {
    button.setAttribute("aria-pressed", pressed);
    button.textContent = pressed ? "❚❚" : "▶";
  };
  const stop = () => {
    clearInterval(playing);
    buttons.forEach((button) => press(button, false));
  };
  const play = (i) => {
    const step = () => {
      inputs[i].value = Number(inputs[i].value) + 1;
      show();
      if (inputs[i].value === inputs[i].max) stop();
    };
    if (inputs[i].value === inputs[i].max) inputs[i].value = -1;
    press(buttons[i], true);
    playing = setInterval(step, 700);
    step();
  };
  inputs.forEach((input) => input.addEventListener("input", () => { stop(); show(); }));
  buttons.forEach((button, i) => button.addEventListener("click", () => {
    const pressed = button.getAttribute("aria-pressed") === "true";
    stop();
    if (!pressed) play(i);
  }));
  show();
  figure.querySelector(".controls").hidden = false;
  figure.querySelector("details").open = false;
})();
