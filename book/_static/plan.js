// The calculator of the page "Run your board". It computes what le.plan_board computes, and fills the same sentences,
// which the page brings along; tests/browser/test_plan_in_browser.py compares both, word by word.
const boardPlan = (() => {
const PLACES = 3, LITTLE = 0.25, SPLIT = 1 / 10, GAINS = [1 / 200, 1 / 100, 1 / 50];
const WORDS = JSON.parse(document.getElementById("plan-words").textContent);
const BY_TEAMS = Object.keys(WORDS).filter((word) => word.endsWith("_one")).map((word) => word.slice(0, -4));
const MOST = { n: 1e9, classes: 1e6, teams: 1e6, submissions: 1e9 };

// Texts of numbers, as in _plan_words.py.
const commas = (number) => number.toLocaleString("en-US");
const whole = (number) => (number <= 1e9 ? commas(number) : "more than 1,000,000,000");
const things = (number, noun) => `${commas(number)} ${noun}${number === 1 ? "" : "s"}`;
const rounded = (number) => (Math.floor(number * 1000 + 0.5 + 1e-9) / 1000).toFixed(3);
const shareDown = (chance) => `${Math.floor(100 * chance + 1e-9)}`;
function up(number) {
  let digits = 3;
  while (number * 10 ** digits < 10) digits += 1;
  return (Math.ceil(number * 10 ** digits) / 10 ** digits).toFixed(digits);
}
const fill = (word, texts) => WORDS[word].replace(/{(\w+)}/g, (_, name) => texts[name]);

// Counts of stories, as logarithms.
function stirling(x) {
  if (x < 16) {
    let factorial = 1;
    for (let i = 2; i <= x; i += 1) factorial *= i;
    return Math.log(factorial) - (x + 0.5) * Math.log(x) + x - Math.log(2 * Math.PI) / 2;
  }
  const square = x * x;
  return (1 / 12 - (1 / 360 - (1 / 1260 - 1 / (1680 * square)) / square) / square) / x;
}
function logBinomial(a, b) {
  if (a === 0 || b === 0) return 0;
  const bulk = a * Math.log1p(b / a) + b * Math.log1p(a / b);
  return bulk + Math.log((1 / a + 1 / b) / (2 * Math.PI)) / 2 + stirling(a + b) - stirling(a) - stirling(b);
}
function logNodes(m, k, accounts) {
  const first = logBinomial(k - 1, Math.min(accounts, k) * m + 1), children = k * Math.log(m + 1);
  return accounts === 1 ? [first] : [first, children + Math.log1p(-Math.exp(-children)) - Math.log(m)];
}

// Promises.
function tree({ teams, submissions, delta }, way) {
  if (way === "team") return [submissions, 1, delta / teams];
  return [teams * submissions, way === "places" ? PLACES : teams, delta];
}
function bottom(error, most, count, least = 1) {
  let [low, high] = [least, most];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (error(middle + 1, count) >= error(middle, count)) high = middle;
    else low = middle + 1;
  }
  return low;
}
// A board that answers scores half of the labels if the others are sealed.
const scored = ({ n, final }, way) => (final === "half" && way !== "end" ? Math.floor(n / 2) : n);
function best(board, way) {
  const n = scored(board, way);
  if (way === "end" || way === "exact")
    return { error: Math.sqrt(Math.log((2 * board.teams * board.submissions) / board.delta) / (2 * n * board.weight)), m: null };
  const [k, accounts, delta] = tree(board, way);
  const error = (m, count) => {
    const nodes = logNodes(m, k, accounts);
    const log = count === undefined ? Math.min(...nodes) : nodes[count];
    return 1 / (2 * m) + Math.sqrt((log + Math.log(2 / delta)) / (2 * n * board.weight));
  };
  const found = (accounts === 1 ? [0] : [0, 1]).map((count) => bottom(error, n, count));
  const m = found.reduce((one, other) => (error(other) < error(one) ? other : one));
  return { error: error(m), m };
}
function labels(board, way, goal) {
  const [k, accounts, delta] = tree(board, way), twice = board.final === "half" && way !== "end" ? 2 : 1;
  if (way === "end" || way === "exact") return twice * Math.ceil((Math.log((2 * k) / board.delta) * goal ** 2) / (2 * board.weight));
  const needed = (m, count) => (logNodes(m, k, accounts)[count] + Math.log(2 / delta)) / (2 * board.weight * (1 / goal - 1 / (2 * m)) ** 2);
  const least = (count) => Math.ceil(needed(bottom(needed, 1000 * goal, count, goal / 2 + 1), count));
  return twice * Math.min(...(accounts === 1 ? [0] : [0, 1]).map(least));
}
function fewEnough(board, way, goal) {
  let [enough, tooMany] = [0, board.submissions + 1];
  while (tooMany - enough > 1) {
    const middle = Math.floor((enough + tooMany) / 2);
    if (best({ ...board, submissions: middle }, way).error <= 1 / goal) enough = middle;
    else tooMany = middle;
  }
  return enough;
}
function nextGoal(promise) {
  let goal = 10;
  for (let factors = 0; promise !== null && 1 / goal >= promise; factors += 1)
    goal = factors % 3 === 1 ? (goal * 5) / 2 : goal * 2;
  return goal;
}
const belowHalf = (error) => (error < 0.5 ? error : null);

// Flipping blocks on exact losses: how many labels are right on the better sides.
function fair(x, n) { // P(x of n fair coins)
  if (x === 0 || x === n) return 2 ** -n;
  const lean = (2 * x - n) / n;
  const bulk = -x * Math.log1p(lean) - (n - x) * Math.log1p(-lean);
  return Math.exp(bulk + Math.log(n / (2 * Math.PI * x * (n - x))) / 2 + stirling(n) - stirling(x) - stirling(n - x));
}
function lossOfBlocks(n, k) {
  const size = Math.floor(n / k), longer = n % k, right = (b) => (b * (1 + fair(Math.floor(b / 2), b - 1))) / 2;
  return 1 - ((k - longer) * right(size) + (longer && longer * right(size + 1))) / n;
}

// What honest teams pay.
function normal(x) {
  let term = x, sum = x;
  for (let i = 3; Math.abs(x) < 8 && sum + term !== sum; i += 2) sum += term *= (x * x) / i;
  return Math.abs(x) < 8 ? 0.5 + sum * density(x) : Number(x > 0);
}
const density = (x) => Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI);
function seen(gain, n, m) {
  let spread = Math.sqrt((SPLIT - gain * gain) / n);
  if (m === null) return normal((gain - 0.5 / n) / spread);
  const mean = gain * m;
  spread *= m;
  const low = -mean / spread, high = (1 - mean) / spread;
  return mean * (normal(high) - normal(low)) + spread * (density(low) - density(high)) + normal(-high);
}
function smallest(n, m) {
  if (m === null) return 1;
  if (m === 1) return Math.floor(n / 2) + 1;
  const ceiling = (a, b) => (a + b - 1n) / b, [N, M] = [BigInt(n), BigInt(m)];
  return Number(ceiling(ceiling((2n * M - 1n) * N, 2n * M) - ceiling(N, 2n * M), M - 1n));
}

// The plan: le.plan_board, and the sentences of BoardPlan.
function allowed({ teams, submissions, scores, open }) {
  if (scores === "host") return ["end"];
  if (teams * submissions === 1 || (submissions === 1 && scores === "team" && !open)) return ["exact"];
  if (open) return ["places"];
  return scores === "team" ? ["team"] : teams <= PLACES ? ["all"] : ["all", "places"];
}
const sized = (asked) => {
  const weight = asked.metric === "auc" ? Math.min(asked.positives, 1e4 - asked.positives) / 1e4 : 1;
  return { ...asked, delta: (100 - asked.confidence) / 100, weight };
};
function choices({ teams, submissions, open }) {
  const closed = open ? [] : [submissions === 1 ? "exact" : "team", ...(teams > 1 ? ["all"] : [])];
  return ["end", ...closed, ...(open || teams > PLACES ? ["places"] : [])];
}
function plan(asked) {
  const board = sized(asked), { n, classes, teams, submissions, metric, scores, open } = board, files = teams * submissions;
  let way = allowed(board).reduce((one, other) => (best(board, other).error < best(board, one).error ? other : one));
  if (way === "exact" && metric !== "zero_one") way = "end";
  const covered = metric === "zero_one" || (metric !== "other" && way === "end");
  const { error: least, m: steps } = best(board, way), error = belowHalf(least), silent = belowHalf(best(board, "end").error);
  const answers = covered && error !== null && !(steps && error >= LITTLE), goal = nextGoal(covered ? error : null);
  const mechanism = answers ? way : "end", m = answers ? steps : null;
  const promise = answers ? error : metric === "other" ? null : silent;
  let advice = mechanism === way ? mechanism : metric === "zero_one" ? "silence" : "metric";
  if (promise === null) advice = metric === "other" ? "other" : "labels";
  const size = scored(board, mechanism), shows = scored(board, "every");
  const texts = {
    n: things(size, "label"), sealed: things(n - size, "label"), teams: things(teams, "team"), each: things(submissions, "file"), classes: commas(classes),
    submissions: commas(submissions), files: things(files, "file"), eta: `1/${steps}`, places: PLACES,
    confidence: asked.confidence, goal: `1/${goal}`, which: WORDS[advice === "silence" ? "an_answer" : "its_error"],
    score: { auc: "AUC", other: "score" }[metric] ?? "loss",
  };
  for (const name of BY_TEAMS) texts[name] = fill(`${name}_${teams === 1 ? "one" : "many"}`, texts);
  texts.sources = fill(open ? "from_anybody" : "from_teams", texts);
  for (const name of ["daily", "crowd", "however"]) texts[name] = open ? WORDS[name] : "";
  texts.named = open ? "" : WORDS.named;
  texts.share = metric === "auc" ? fill("share", { positives: asked.positives / 100 }) : "";
  for (const name of ["surely", "first_place", "split"]) texts[name] = fill(name, texts);
  const say = (word, more) => fill(word, { ...texts, ...more });
  const off = (word, promised, more) => say(word, { error: up(promised), twice: up(2 * promised), ...more });
  texts.asked = error === null ? WORDS.asked_none : off("asked_little", error);
  texts.ladder = error === null ? WORDS.ladder_none : off("ladder_some", error);

  // What would hold.
  const hold = [promise === null ? say(metric === "other" ? "hold_metric" : "hold_none") : off(`hold_${mechanism}`, promise)];
  const needed = labels(board, way, goal), finals = open ? submissions : 1;
  if (open && scores === "team") hold.push(WORDS.crowded);
  if (mechanism === "end" && promise >= LITTLE) hold.push(off("little", promise));
  if (metric === "zero_one" || (metric !== "other" && way === "end")) {
    const few = fewEnough(board, way, goal);
    if (few) hold.push(say(open ? "fewer_files" : "fewer", { fewer: things(open ? few * teams : few, "file") }));
    hold.push(say("labels", { labels: whole(needed), count: commas(n), both: board.final === "half" && way !== "end" ? WORDS.both : "" }));
  } else if (metric === "other" && way !== "end")
    hold.push(error === null ? say("right_or_wrong_none", { labels: whole(needed) }) : off("right_or_wrong", error, { would: say(`would_${way}`) }));
  const half = { ...board, final: "other", n: Math.floor(n / 2), submissions: finals };
  if (mechanism !== "end" && board.final === "other") hold.push(say("sealed_other"));
  else if (mechanism !== "end")
    hold.push(off("sealed_half", Math.min(1, best({ ...half, n: n - size }, "end").error), { finals: say(open ? "finals_open" : "finals_closed") }));
  const sees = (labelled, its) => (metric === "zero_one" ? shareDown(seen(GAINS[1], labelled, its)) : "–");
  const rows = (metric === "other" ? [] : metric === "zero_one" ? choices(board) : ["end"]).map((each) => {
    const { error: off_by, m: its } = best(board, each), blind = its !== null && belowHalf(off_by) === null;
    return [
      say(`choice_${each}`) + (promise !== null && each === mechanism ? " ←" : ""), its === null || blind ? "–" : `1/${its}`,
      belowHalf(off_by) === null ? WORDS.nothing : up(off_by), whole(labels(board, each, goal)), blind ? "–" : sees(scored(board, each), its),
    ];
  });
  if (rows.length && board.final === "other") rows.push([WORDS.choice_every, "–", WORDS.nothing, "–", sees(n, null)]);
  if (rows.length && n > 1) {
    const off_by = best(half, "end").error;
    rows.push([WORDS.choice_sealed, "–", belowHalf(off_by) === null ? WORDS.nothing : up(off_by), whole(2 * labels(half, "end", goal)), sees(half.n, null)]);
  }

  // The board as it is, and mended.
  const heard = open || scores === "all" ? files : submissions, reads = heard >= shows * (classes - 1);
  const loss = reads ? 0 : lossOfBlocks(shows, Math.min(heard, shows)), shown = WORDS[open || scores === "all" ? "shown_all" : "shown_own"];
  const attack = { heard: things(heard, "file"), needed: commas(shows * (classes - 1)), loss: rounded(loss), shown };
  const gained = smallest(size, m), [seen_1, seen_2, seen_3] = GAINS.map((gain) => shareDown(seen(gain, size, m)));
  const moves = commas(Math.min(files, PLACES * (m + 1)));
  const cost = { smallest: commas(gained), share: up((gained / size) * (1 - 1e-12)), seen_1, seen_2, seen_3, moves };
  const kind = { team: "steps", all: "steps" }[mechanism] ?? mechanism, code = mechanism === "end" && metric !== "zero_one" ? "metric" : mechanism;
  const limits = fill(open ? "limits_open" : "limits_closed", { limit_files: files, limit_teams: teams, limit_each: submissions });
  return {
    mechanism, promise, goal,
    sections: {
      "What to do": [say(`recommend_${advice}`)],
      "What is guaranteed": hold,
      "What a known attack does": [
        say(metric !== "zero_one" ? "attack_metric" : reads ? "attack_reads" : classes === 2 ? "attack_two" : "attack_more", attack),
        promise === null || mechanism === "end" ? say("attack_silent") : off("attack_mended", promise),
      ],
      "What it costs honest teams": metric === "zero_one" ? [say(`cost_${kind}`, cost), say(`seen_${kind}`, cost)] : [say("cost_metric")],
      "The rule to print": [say(`rule_${mechanism}`)],
    },
    table: rows.length ? [say("head").split("|"), ...rows] : [],
    note: rows.length && n > 1 ? `<p>${WORDS.note}</p>` : "",
    code: say(`code_${code}`, {
      limits, scorer: WORDS[`scorer_${metric}`], halve: size < n ? WORDS.halve : "", final: size < n ? WORDS.final : "",
      file: WORDS[size < n ? "half_file" : "whole_file"],
    }),
  };
}
function html({ sections, table, note, code }) {
  const parts = Object.entries(sections).map(([title, [first, ...others]]) => {
    const more = others.length ? `<ul>${others.map((line) => `<li>${line}</li>`).join("")}</ul>` : "";
    return `<section><h3>${title}</h3><p>${first}</p>${more}</section>`;
  });
  const [head, ...rows] = table.map((row) => row.map((text) => `<td>${text}</td>`).join(""));
  if (head)
    parts.push(`<section><h3>What else you could run</h3><table><thead><tr>${head.replaceAll("td>", "th>")}</tr></thead>`
      + `<tbody>${rows.map((row) => `<tr>${row}</tr>`).join("")}</tbody></table>${note}</section>`);
  return parts.join("") + `<section><h3>The code to paste</h3><pre>${code}</pre></section>`;
}

// The picture: what n labels promise, in each way that the board allows, and what the attack gets.
const CURVES = {
  end: ["--theory", "silent until the end", "2 5"],
  exact: ["--simplified", "exact losses, one file a team", ""],
  team: ["--simplified", "a Ladder for each team, scores private", ""],
  all: ["--ladder", "a Ladder for each team, scores public", ""],
  places: ["--ladder", "three places, whoever submits", "8 4"],
};
const SIDE = { left: 76, right: 40, top: 12, bottom: 64, width: 640, height: 330 };
function draw(asked, { mechanism, promise }) {
  if (asked.metric === "other") return "<p>This book has no theorem for this metric, so there is nothing to draw.</p>";
  const { n, metric, scores, open, teams, submissions } = asked, { left, right, top, bottom: low, width, height } = SIDE;
  const from = Math.max(1, Math.floor(Math.log10(n)) - 2), to = Math.min(9, from + 5);
  const x = (size) => left + ((Math.log10(size) - from) / (to - from)) * (width - left - right);
  const y = (error) => top + (1 - error / 0.5) * (height - top - low);
  const sizes = Array.from({ length: 121 }, (_, i) => Math.round(10 ** (from + ((to - from) * i) / 120)));
  const board = sized(asked);
  const heard = open || scores === "all" ? teams * submissions : submissions;
  const ways = metric === "zero_one" ? choices(asked) : ["end"];
  const path = (value) => {
    const points = sizes.map((size) => [x(size), y(Math.min(0.5, value(size)))]).map((point) => point.map((each) => each.toFixed(1)).join(" "));
    return `M${points.join("L")}`;
  };
  const line = (colour, dash, d) => `<path d="${d}" fill="none" stroke="var(${colour})" stroke-width="2.5" stroke-dasharray="${dash}"/>`;
  const names = [], lines = ways.map((way) => {
    const [colour, name, dash] = CURVES[way], error = belowHalf(best(board, way).error);
    names.push([colour, dash, name, error === null ? "no promise" : up(error)]);
    return line(colour, dash, path((size) => best({ ...board, n: size }, way).error));
  });
  if (metric === "zero_one") {
    const gain = (size) => {
      const shows = scored({ ...board, n: size }, "every");
      return heard >= shows ? 0.5 : 0.5 - lossOfBlocks(shows, heard);
    };
    const two = asked.classes > 2 ? " (of two classes)" : "";
    names.push(["--full-disclosure", "", `what the attack gains if every loss is shown${two}`, rounded(gain(n))]);
    lines.push(line("--full-disclosure", "", path(gain)));
  }
  const powers = "⁰¹²³⁴⁵⁶⁷⁸⁹", text = (at, words, more = "") => `<text x="${at[0]}" y="${at[1]}" ${more}>${words}</text>`;
  const grid = [0, 0.1, 0.2, 0.3, 0.4, 0.5].map((error) => `<path class="grid" d="M${left} ${y(error)}H${width - right}"/>${text([left - 8, y(error) + 6], error.toFixed(1), 'text-anchor="end"')}`);
  for (let power = from; power <= to; power += 1) grid.push(text([x(10 ** power), height - low + 26], `10${powers[power]}`, 'text-anchor="middle"'));
  const colour = CURVES[mechanism][0];
  const mark = promise === null ? "" : `<circle cx="${x(n)}" cy="${y(promise)}" r="7" fill="var(${colour})" stroke="var(--paper-ground)" stroke-width="2"/>`;
  const here = `<path class="here" d="M${x(n)} ${top}V${height - low}"/>`;
  const says = promise === null ? `With ${things(n, "label")} nothing is promised.` : `Marked: with ${things(n, "label")} the recommended board is off by at most ${up(promise)}.`;
  const list = names.map(([hue, dash, name, value]) => `<li><svg width="28" height="10" aria-hidden="true"><path d="M0 5H28" stroke="var(${hue})" stroke-width="3" stroke-dasharray="${dash}"/></svg> ${name}: <b>${value}</b></li>`);
  return `<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="Error against labels. ${says}">${grid.join("")}${here}${lines.join("")}${mark}`
    + text([(left + width) / 2, height - 8], "labels", 'text-anchor="middle"')
    + text([16, (top + height - low) / 2], "off by at most, or gained", `text-anchor="middle" transform="rotate(-90 16 ${(top + height - low) / 2})"`) + `</svg><p>${says} Each line with ${things(n, "label")}:</p><ul>${list.join("")}</ul>`;
}

// The form. What is typed is kept in the address; what cannot be planned is said.
const NAMES = { n: "Labels", classes: "Classes", teams: "Teams", submissions: "Files of each team" };
const refuse = (field, words) => Object.assign(new RangeError(words), { field });
function read(form) {
  const given = Object.fromEntries(new FormData(form));
  for (const [name, most] of Object.entries(MOST)) {
    const least = name === "classes" ? 2 : 1, typed = /^(\d+|\d{1,3}([\s,_]\d{3})+)$/.test(given[name].trim());
    const number = typed ? Number(given[name].replace(/[\s,_]/g, "")) : NaN;
    if (!(number >= least && number <= most))
      throw refuse(form.elements[name], `${NAMES[name]} must be a whole number from ${least} to ${commas(most)}, got “${given[name]}”.`);
    given[name] = number;
  }
  const share = /^\d{1,2}(\.\d{1,2})?$/.test(given.positives.trim()) ? Math.round(100 * given.positives) : 0; // in 10,000
  if (share === 0)
    throw refuse(form.elements.positives, `Positive labels must be a number between 0 and 100, such as 0.5, got “${given.positives}”.`);
  given.positives = share;
  for (const choice of form.querySelectorAll("select")) {
    const { name, dataset, options, labels: [label] } = choice, known = [...options].map((option) => option.value);
    if (!(name in given)) throw refuse(choice, `“${label.firstElementChild.textContent}”: must be one of ${known.join(", ")}, got “${dataset.asked}”.`);
  }
  if (given.n === 1 && given.final === "half") throw refuse(form.elements.n, "Labels must be at least 2 if half of them are sealed, got “1”.");
  const metric = given.metric === "classes" ? "zero_one" : given.metric;
  return { ...given, metric, open: given.open === "yes" };
}
function show(form, answer, picture, event) {
  let found = "", drawn = "", wrong = null;
  try {
    const asked = read(form), made = plan(asked);
    [found, drawn] = [html(made), draw(asked, made)];
    if (event) history.replaceState(null, "", `?${new URLSearchParams(new FormData(form))}${location.hash}`);
  } catch (error) {
    wrong = error.field;
    if (wrong) found = Object.assign(document.createElement("p"), { textContent: error.message, className: "refused" }).outerHTML;
    else if (!(error instanceof DOMException)) throw error; // a folder on disk keeps no address
  }
  const fresh = document.createElement("div");
  fresh.innerHTML = found;
  for (const field of form.elements) field.toggleAttribute("aria-invalid", field === wrong);
  wrong?.setAttribute("aria-invalid", "true");
  const [old, now] = [[...answer.children], [...fresh.children]];
  if (old.length !== now.length) answer.replaceChildren(...now);
  else now.forEach((part, i) => part.outerHTML !== old[i].outerHTML && old[i].replaceWith(part));
  picture.innerHTML = drawn;
  document.getElementById("plan-copy").disabled = drawn === "";
  // The recommendation alone is read aloud, once nobody types.
  const said = document.getElementById("plan-said"), words = answer.querySelector("p").textContent;
  clearTimeout(show.later);
  if (event) show.later = setTimeout(() => said.textContent !== words && (said.textContent = words), 800);
}
function start() {
  const form = document.getElementById("plan-form");
  if (!form) return;
  for (const [name, value] of new URLSearchParams(location.search)) {
    const field = form.elements[name];
    if (field instanceof HTMLElement) Object.assign(field, { value }).dataset.asked = value;
  }
  const update = (event) => show(form, document.getElementById("plan-answer"), document.getElementById("plan-picture"), event);
  form.addEventListener("input", update);
  form.addEventListener("submit", (event) => event.preventDefault());
  const copy = document.getElementById("plan-copy"), name = copy.textContent;
  copy.addEventListener("click", async () => {
    await navigator.clipboard.writeText(document.querySelector("#plan-answer pre").textContent);
    copy.textContent = "Copied";
    setTimeout(() => (copy.textContent = name), 1500);
  });
  document.getElementById("plan").classList.add("alive");
  update();
}
start();
return { plan, html };
})();
