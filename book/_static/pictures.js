// Figures with controls: charts of Vega-Lite, drawn when they come near, that follow their sliders.
(() => {
  const VEGA = new URL("vega.js", document.currentScript.src);
  const PHONE = matchMedia("(max-width: 480px)");
  const CALM = matchMedia("(prefers-reduced-motion: reduce)");
  let loading;
  const vega = () => loading ??= new Promise((resolve, reject) => {
    const script = Object.assign(document.createElement("script"), { src: VEGA, onerror: reject });
    script.onload = () => resolve(window.vegaEmbed);
    document.head.append(script);
  });

  // The still stands there until the page has nothing else to do.
  const idle = () => new Promise((go) => (window.requestIdleCallback ?? setTimeout)(go, { timeout: 2000 }));

  async function start(figure) {
    const data = JSON.parse(figure.querySelector('script[type="application/json"]').textContent);
    const [picture, said, announced] =
      [".pictures", ".says > p", "[aria-live]"].map((name) => figure.querySelector(name));
    const [inputs, buttons, outputs, lines] =
      ["input", "button", "output", "tbody tr"].map((name) => [...figure.querySelectorAll(name)]);
    const made = [], set = (i) => made[i] ??= rows(data.sets[i]);
    let view, shown, playing, waiting;

    const state = () => inputs.reduce((at, input, i) => at * data.sliders[i].values.length + Number(input.value), 0);
    const setsOf = (at) => Object.entries(data.states[at]).map(([name, i]) => [name, set(i)]);
    const signals = () => data.sliders.map(({ name, values }, i) => [name, values[inputs[i].value]]);

    async function draw() {
      const chart = structuredClone(data.charts[PHONE.matches ? "narrow" : "wide"]), now = Object.fromEntries(signals());
      chart.config.font = getComputedStyle(figure).fontFamily;
      chart.datasets = Object.fromEntries(setsOf(state()));
      for (const param of chart.params ?? []) if (param.name in now) param.value = now[param.name];
      const drawn = state(), embed = await vega();
      await idle();
      view?.finalize();
      ({ view } = await embed(figure.querySelector(".live"), chart, { actions: false, renderer: "svg", tooltip: { theme: "custom" } }));
      shown = drawn;
      show();
      if (data.drag.length) drag();
    }

    function show() {
      const at = state();
      for (const [name, set] of setsOf(at)) if (data.states[shown][name] !== data.states[at][name]) view.data(name, set);
      for (const [name, value] of signals()) try { view.signal(name, value); } catch { /* the chart has none */ }
      view.run();
      shown = at;
      said.textContent = data.alts[at];
      clearTimeout(waiting);
      if (figure.matches(".alive")) waiting = setTimeout(() => announced.textContent = data.alts[at], 700);
      picture.setAttribute("aria-label", data.alts[at]);
      inputs.forEach((input, i) => {
        outputs[i].textContent = data.sliders[i].shown[input.value];
        input.setAttribute("aria-valuetext", outputs[i].textContent);
      });
      lines.forEach((line, i) => line.setAttribute("aria-current", i === at));
    }

    const press = (button, pressed) => {
      button.setAttribute("aria-pressed", pressed);
      button.textContent = pressed ? "❚❚" : "▶";
    };
    const stop = () => {
      clearInterval(playing);
      buttons.forEach((button) => press(button, false));
    };
    const move = (i, value) => { inputs[i].value = value; show(); };
    function play(i) {
      const { value, max } = inputs[i];
      if (CALM.matches) return move(i, value === max ? 0 : max);  // at once: nothing moves by itself
      const step = () => {
        move(i, Number(inputs[i].value) + 1);
        if (inputs[i].value === inputs[i].max) stop();
      };
      if (inputs[i].value === inputs[i].max || inputs[i].value === inputs[i].defaultValue) move(i, 0);
      press(buttons[i], true);
      playing = setInterval(step, Math.min(700, 10_000 / data.sliders[i].values.length));
      step();
    }

    // The handle is dragged to the value whose place on the axis is nearest.
    function drag() {
      const [slider, scale] = data.drag, i = data.sliders.findIndex(({ name }) => name === slider);
      const handle = figure.querySelector(".live [class*=handle_]"), places = data.sliders[i].values.map(view.scale(scale));
      const to = (event) => {
        const { a, d, e, f } = handle.getScreenCTM();
        const at = scale.endsWith("y") ? (event.clientY - f) / d : (event.clientX - e) / a;
        const gaps = places.map((place) => Math.abs(place - at));
        move(i, gaps.indexOf(Math.min(...gaps)));
      };
      handle.addEventListener("pointerdown", (event) => {
        stop();
        const until = new AbortController();
        addEventListener("pointermove", to, { signal: until.signal });
        for (const end of ["pointerup", "pointercancel"]) addEventListener(end, () => until.abort(), { signal: until.signal });
        event.preventDefault();
      });
    }

    await idle();
    await draw();
    inputs.forEach((input) => input.addEventListener("input", () => { stop(); show(); }));
    buttons.forEach((button, i) => button.addEventListener("click", () => {
      const pressed = button.getAttribute("aria-pressed") === "true";
      stop();
      if (!pressed) play(i);
    }));
    PHONE.addEventListener("change", draw);
    figure.classList.add("alive");
    figure.querySelector(".controls").hidden = false;
    figure.querySelector("details").open = false;
  }

  // Columns, which are short, as the rows that Vega takes.
  const rows = (columns) => {
    const names = Object.keys(columns);
    return columns[names[0]].map((_, i) => Object.fromEntries(names.map((name) => [name, columns[name][i]])));
  };

  addEventListener("DOMContentLoaded", () => {
    const near = new IntersectionObserver((entries) => entries.filter((entry) => entry.isIntersecting).forEach(({ target }) => {
      near.unobserve(target);
      start(target);
    }), { rootMargin: "800px" });
    document.querySelectorAll(".interactive-figure:has(> .pictures)").forEach((figure) => near.observe(figure));
  });
})();
