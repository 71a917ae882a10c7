// The explorer: one threshold, one prior and two costs, and what they make of the trials of one system.
// Thresholds are compared as those of the scores that were evaluated, and shown for the scores as they were given.
"use strict";
(() => {
  const root = document.getElementById("explorer");
  const get = (id) => document.getElementById(`explorer-${id}`);
  const all = (selector) => Array.from(root.querySelectorAll(selector));
  const { systems, charts, words } = JSON.parse(get("data").textContent);
  const OPTIONS = { mode: "vega-lite", renderer: "svg", ast: true, actions: false, defaultStyle: false, tooltip: false };
  const chosen = { at: 0, odds: 1, miss: 1, alarm: 1, lr: 100 };
  let system, drawn = [];

  // What has not changed is not announced again.
  const say = (element, said) => { if (element.textContent !== said) element.textContent = said; };
  const fill = (kind, values) => all(`[data-${kind}]`).forEach((cell) => say(cell, values[cell.dataset[kind]] ?? ""));

  // Numbers: what has no value is a dash, never 0. Infinities come as text, which JSON has no number for.
  const exact = (x) => (Number.isNaN(x) ? "–" : Number.isFinite(x) ? String(x) : x > 0 ? "∞" : "−∞");
  const text = (x) => exact(Number(Number(x).toPrecision(6)));
  const texts = (values) => Object.fromEntries(Object.entries(values).map(([name, x]) => [name, text(x)]));
  const tidy = (x) => Number(x.toPrecision(15)); // sums of weights without the last, rounded digit
  const read = (typed) =>
    Number(typed.trim().replace("−", "-").replace(/^([+-]?)(∞|inf|infinity)$/i, "$1Infinity") || NaN);

  // Ratios of the four counts, by the names and definitions of deciban.Confusion; what has no value is NaN.
  function ratios({ tp, fp, fn, tn }) {
    const [target, nontarget, accepted, rejected] = [tp + fn, fp + tn, tp + fp, tn + fn];
    return {
      recall: tp / target, p_miss: fn / target, p_fa: fp / nontarget, specificity: tn / nontarget,
      precision: tp / accepted, npv: tn / rejected, f1: (2 * tp) / (2 * tp + fp + fn),
      accuracy: (tp + tn) / (target + nontarget), balanced_accuracy: (tp / target + tn / nontarget) / 2,
      mcc: (tp * tn - fp * fn) / Math.sqrt(accepted * rejected * target * nontarget),
      lr_positive: (tp * nontarget) / (fp * target), lr_negative: (fn * nontarget) / (tn * target),
    };
  }
  const counts = (i) => ({ tp: system.tp[i], fp: system.fp[i], fn: system.fn[i], tn: system.tn[i] });
  const at = (i) => ratios(counts(i));

  // Thresholds: a likelihood ratio in the unit of the scores, and scores turned round where they were reversed.
  const IN_UNIT = {
    lr: (lr) => lr, ln_lr: Math.log, log2_lr: Math.log2, log10_lr: Math.log10, deciban: (lr) => 10 * Math.log10(lr),
    probability: (lr) => (lr === 1 ? system.prior : 1 / (1 + (1 - system.prior) / (system.prior * lr))),
  };
  const turned = (t) => (system.scale === "probability" ? 1 - t : system.scale === "lr" ? 1 / t : 0 - t);
  const turnedIf = (t) => (system.reversed ? turned(t) : t);
  const shown = (i) => system.shown[i];
  const rule = () => `\u2068${system.score}\u2069 ${system.reversed ? "<=" : ">="}`;
  const lowest = (test) => (system.reversed ? system.threshold.findLastIndex(test) : system.threshold.findIndex(test));
  const inForce = (t) => lowest((held) => held >= t);
  const least = (measure) => {
    const values = system.threshold.map((_, i) => measure(at(i)));
    return values.indexOf(Math.min(...values));
  };

  // Decisions at a prior and two costs.
  const prior = () => chosen.odds / (1 + chosen.odds);
  const other = () => 1 / (1 + chosen.odds);
  const log10Odds = () => Math.log10(chosen.odds);
  const cost = ({ p_miss, p_fa }) => prior() * chosen.miss * p_miss + other() * chosen.alarm * p_fa;
  const bayesLr = () => chosen.alarm / (chosen.odds * chosen.miss);
  const bayes = () => (system.has_lr ? IN_UNIT[system.scale](bayesLr()) : NaN);
  const PLACES = {
    eer: () => least(({ p_miss, p_fa }) => Math.abs(p_miss - p_fa)),
    cost: () => least(cost),
    bayes: () => inForce(bayes()),
    rate: (most) => lowest((_, i) => at(i).p_fa <= most),
  };
  function decisions() {
    const here = at(chosen.at), [reject, admit] = [prior() * chosen.miss, other() * chosen.alarm];
    const costAt = (i) => (i < 0 ? "" : `${text(cost(at(i)))} at ${text(shown(i))}`);
    const away = (point) => Math.abs(point.log10_odds - log10Odds());
    const entropy = (system.curves.cross_entropy ?? [{}]).reduce((a, b) => (away(b) < away(a) ? b : a));
    return {
      here: text(cost(here)),
      least: costAt(PLACES.cost()),
      bayes: `${text(turnedIf(bayes()))} (LR ${text(bayesLr())})`,
      there: costAt(PLACES.bayes()),
      blind: `${text(Math.min(reject, admit))}, ${reject <= admit ? "rejecting" : "accepting"} all`,
      precision: text(ratios({ tp: prior() * here.recall, fp: other() * here.p_fa }).precision),
      lr: text(chosen.lr),
      posterior: text(1 / (1 + 1 / (chosen.lr * chosen.odds))),
      ...texts(entropy),
    };
  }

  // An operating point's place in every chart, and that of the prior.
  function place(i) {
    const score = Number.isFinite(shown(i)) ? shown(i) : system.ends[shown(i) > 0 ? 1 : 0];
    return { i: -system.threshold[i], ...at(i), score, log10_odds: log10Odds(), ...system.lines };
  }
  function update(note = "") {
    const { tp, fp, fn, tn } = counts(chosen.at);
    const said = Object.fromEntries(
      Object.entries({ tp, fp, fn, tn, n_target: tp + fn, n_nontarget: fp + tn }).map(([name, n]) => [name, tidy(n)]),
    );
    const accept = `${rule()} ${exact(shown(chosen.at))}`;
    get("slider").value = chosen.at;
    get("slider").setAttribute("aria-valuetext", accept);
    get("typed").value = exact(shown(chosen.at));
    say(get("state"), `${note}Accept when ${accept}: ${said.tp} of ${said.n_target} ${words.targets} and ` +
      `${said.fp} of ${said.n_nontarget} ${words.nontargets} are accepted.`);
    say(get("question"), `prior probability ${text(prior())} (log10 odds ${text(log10Odds())}), ` +
      `a miss costs ${text(chosen.miss)}, a false alarm ${text(chosen.alarm)}`);
    fill("count", said);
    fill("rate", texts(at(chosen.at)));
    fill("decision", decisions());
    for (const { view } of drawn) view.data("at", [place(chosen.at)]).runAsync();
  }
  // Where scores are infinite, no threshold may be high enough for a rate.
  function go(i, note) {
    if (i >= 0) chosen.at = i;
    update(i < 0 ? "No threshold has a rate that low. " : note);
  }

  // A system: its points as numbers, its controls, and its charts drawn anew.
  async function show(number) {
    const mine = (system = systems[number]);
    for (const unit of ["threshold", "shown"]) system[unit] = (system[unit] ?? system.threshold).map(Number);
    for (const [id, said] of [["rule", rule()], ["held", system.held], ["unit", system.unit]]) say(get(id), said);
    get("slider").max = system.threshold.length - 1;
    for (const part of all("[data-needs]")) part.hidden = !system.has_lr;
    get("presets").replaceChildren(...system.presets.map(({ label, at: i }) => {
      const button = Object.assign(document.createElement("button"), { type: "button", textContent: label });
      button.addEventListener("click", () => go(i));
      return button;
    }));
    for (const { finalize } of drawn) finalize();
    drawn = [];
    go(system.presets.length ? system.presets[0].at : PLACES.eer());
    const data = { at: [place(chosen.at)], curve: system.threshold.map((_, i) => place(i)) };
    const params = [{ name: "top", value: system.top }];
    await Promise.all(Object.entries(charts).map(async ([name, chart]) => {
      const datasets = { ...data, ...(name in system.curves && { curve: system.curves[name] }) };
      get(name).hidden = datasets.curve === null;
      if (datasets.curve === null) return;
      const one = await window.vegaEmbed(get(name).querySelector("div"), { ...chart, datasets, params }, OPTIONS);
      if (system === mine) drawn.push(one);
      else one.finalize();
    }));
    update();
  }

  // What the visitor does; a value that makes no sense is taken back.
  const on = (id, event, act) => get(id)?.addEventListener(event, () => act(get(id)));
  function setOdds(odds) {
    chosen.odds = odds;
    [get("odds").value, get("p").value] = [log10Odds(), text(prior())];
    update();
  }
  on("slider", "input", ({ value }) => go(Number(value)));
  on("typed", "change", ({ value }) => {
    const t = turnedIf(read(value));
    if (Number.isNaN(t)) update(`“${value}” is no threshold. `);
    else go(inForce(t), system.threshold.includes(t) ? "" : `Typed ${value}; the next threshold is in force. `);
  });
  on("odds", "input", ({ value }) => setOdds(10 ** Number(value)));
  on("p", "change", ({ valueAsNumber: p }) => setOdds(p > 0 && p < 1 ? p / (1 - p) : chosen.odds));
  for (const name of ["miss", "alarm", "lr"]) {
    on(name, "change", (field) => {
      if (field.valueAsNumber > 0 && field.valueAsNumber < Infinity) chosen[name] = field.valueAsNumber;
      field.value = chosen[name];
      update();
    });
  }
  on("system", "change", ({ value }) => show(Number(value)));
  for (const button of all("[data-go]")) {
    button.addEventListener("click", () => go((PLACES[button.dataset.go] ?? PLACES.rate)(Number(button.dataset.go))));
  }
  root.hidden = false;
  show(0);
  const { p_target } = systems[0];
  setOdds(p_target === null ? 1 : p_target / (1 - p_target));
})();
