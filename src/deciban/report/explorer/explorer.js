// The explorer: one threshold, one prior and two costs, and what they make of the trials of one system.
// Thresholds are compared as those of the scores that were evaluated, and shown for the scores as they were given.
"use strict";
(() => {
  const root = document.getElementById("explorer");
  const get = (id) => document.getElementById(`explorer-${id}`);
  const all = (selector) => Array.from(root.querySelectorAll(selector));
  // What has not changed is not announced again.
  const say = (id, words) => { if (get(id).textContent !== words) get(id).textContent = words; };
  const { systems, charts, words } = JSON.parse(get("data").textContent);
  const OPTIONS = { mode: "vega-lite", renderer: "svg", ast: true, actions: false, defaultStyle: false, tooltip: false };
  const chosen = { at: 0, odds: 1, miss: 1, alarm: 1, lr: 100 };
  let system, embedded = {};

  // Numbers: what has no value is a dash, never 0. Infinities come as text, which JSON has no number for.
  const exact = (x) => (Number.isNaN(x) ? "–" : Number.isFinite(x) ? String(x) : x > 0 ? "∞" : "−∞");
  const text = (x) => exact(Number(Number(x).toPrecision(6)));
  const sum = (a, b) => Number((a + b).toPrecision(15));
  const read = (typed) => {
    const plain = typed.trim().replace("−", "-").replace(/^([+-]?)(∞|inf|infinity)$/i, "$1Infinity");
    return plain === "" ? NaN : Number(plain);
  };

  // Ratios of the four counts, by the names and definitions of deciban.Confusion; what has no value is NaN.
  const RATES = {
    recall: (c) => c.tp / (c.tp + c.fn),
    p_miss: (c) => c.fn / (c.tp + c.fn),
    p_fa: (c) => c.fp / (c.fp + c.tn),
    specificity: (c) => c.tn / (c.fp + c.tn),
    precision: (c) => c.tp / (c.tp + c.fp),
    npv: (c) => c.tn / (c.tn + c.fn),
    f1: (c) => (2 * c.tp) / (2 * c.tp + c.fp + c.fn),
    accuracy: (c) => (c.tp + c.tn) / (c.tp + c.fp + c.fn + c.tn),
    balanced_accuracy: (c) => (RATES.recall(c) + RATES.specificity(c)) / 2,
    mcc: (c) => (c.tp * c.tn - c.fp * c.fn) / Math.sqrt((c.tp + c.fp) * (c.tn + c.fn) * (c.tp + c.fn) * (c.fp + c.tn)),
    lr_positive: (c) => (c.tp * (c.fp + c.tn)) / (c.fp * (c.tp + c.fn)),
    lr_negative: (c) => (c.fn * (c.fp + c.tn)) / (c.tn * (c.tp + c.fn)),
  };
  const counts = (i) => ({ tp: system.tp[i], fp: system.fp[i], fn: system.fn[i], tn: system.tn[i] });

  // Thresholds: a likelihood ratio in the unit of the scores, and scores turned round where they were reversed.
  const IN_UNIT = {
    lr: (lr) => lr, ln_lr: Math.log, log2_lr: Math.log2, log10_lr: Math.log10, deciban: (lr) => 10 * Math.log10(lr),
    probability: (lr) => (lr === 1 ? system.prior : 1 / (1 + (1 - system.prior) / (system.prior * lr))),
  };
  const turned = (t) => (system.scale === "probability" ? 1 - t : system.scale === "lr" ? 1 / t : 0 - t);
  const asGiven = (t) => (system.reversed ? turned(t) : t);
  const rule = () => `\u2068${system.score}\u2069 ${system.reversed ? "<=" : ">="}`;
  const accept = (i) => `${rule()} ${exact(asGiven(system.threshold[i]))}`;
  const lowest = (test) => (system.reversed ? system.threshold.findLastIndex(test) : system.threshold.findIndex(test));
  const inForce = (t) => lowest((held) => held >= t);
  const least = (measure) => {
    const values = system.threshold.map((_, i) => measure(i));
    return values.indexOf(Math.min(...values));
  };

  // Decisions at a prior and two costs.
  const prior = () => chosen.odds / (1 + chosen.odds);
  const other = () => 1 / (1 + chosen.odds);
  const log10Odds = () => Math.log10(chosen.odds);
  const cost = (i) => prior() * chosen.miss * RATES.p_miss(counts(i)) + other() * chosen.alarm * RATES.p_fa(counts(i));
  const bayesLr = () => chosen.alarm / (chosen.odds * chosen.miss);
  const bayes = () => IN_UNIT[system.scale](bayesLr());
  const PLACES = {
    eer: () => least((i) => Math.abs(RATES.p_miss(counts(i)) - RATES.p_fa(counts(i)))),
    cost: () => least(cost),
    bayes: () => inForce(bayes()),
    rate: (most) => lowest((_, i) => RATES.p_fa(counts(i)) <= most),
  };

  function decisions() {
    const costAt = (i) => `${text(cost(i))} at ${text(asGiven(system.threshold[i]))}`;
    const [reject, admit] = [prior() * chosen.miss, other() * chosen.alarm];
    const share = { tp: prior() * RATES.recall(counts(chosen.at)), fp: other() * RATES.p_fa(counts(chosen.at)) };
    const shown = {
      here: text(cost(chosen.at)),
      least: costAt(PLACES.cost()),
      blind: `${text(Math.min(reject, admit))}, ${reject <= admit ? "rejecting" : "accepting"} all`,
      precision: text(RATES.precision(share)),
    };
    if (!system.has_lr) return shown;
    const away = (point) => Math.abs(point.log10_odds - log10Odds());
    const entropy = system.curves.cross_entropy.reduce((a, b) => (away(b) < away(a) ? b : a));
    return {
      ...shown,
      bayes: `${text(asGiven(bayes()))} (LR ${text(bayesLr())})`,
      there: costAt(PLACES.bayes()),
      lr: text(chosen.lr),
      posterior: text(1 / (1 + 1 / (chosen.lr * chosen.odds))),
      ...Object.fromEntries(Object.entries(entropy).map(([name, value]) => [name, text(value)])),
    };
  }

  // An operating point's place in every chart, and that of the prior.
  function place(i) {
    const c = counts(i);
    const score = asGiven(system.threshold[i]);
    return {
      i: -system.threshold[i],
      recall: RATES.recall(c), p_miss: RATES.p_miss(c), p_fa: RATES.p_fa(c), precision: RATES.precision(c),
      score: Number.isFinite(score) ? score : system.ends[score > 0 ? 1 : 0],
      log10_odds: log10Odds(), ...system.lines,
    };
  }

  function update(note = "") {
    const c = counts(chosen.at);
    const cells = { ...c, n_target: sum(c.tp, c.fn), n_nontarget: sum(c.fp, c.tn) };
    const values = decisions();
    get("slider").value = chosen.at;
    get("slider").setAttribute("aria-valuetext", accept(chosen.at));
    get("typed").value = exact(asGiven(system.threshold[chosen.at]));
    say("state", `${note}Accept when ${accept(chosen.at)}: ${c.tp} of ${cells.n_target} ${words.targets} and ` +
      `${c.fp} of ${cells.n_nontarget} ${words.nontargets} are accepted.`);
    say("question", `prior probability ${text(prior())} (log10 odds ${text(log10Odds())}), ` +
      `a miss costs ${text(chosen.miss)}, a false alarm ${text(chosen.alarm)}`);
    for (const cell of all("[data-count]")) cell.textContent = String(cells[cell.dataset.count]);
    for (const cell of all("[data-rate]")) cell.textContent = text(RATES[cell.dataset.rate](c));
    for (const cell of all("[data-decision]")) cell.textContent = values[cell.dataset.decision] ?? "";
    for (const { view } of Object.values(embedded)) view.data("at", [place(chosen.at)]).runAsync();
  }

  // Where scores are infinite, no threshold may be high enough for a rate.
  function go(at, note) {
    if (at < 0) note = "No threshold has a rate that low. ";
    else chosen.at = at;
    update(note);
  }

  // A system: its points as numbers, its controls, and its charts drawn anew.
  async function show(number) {
    const mine = (system = systems[number]);
    system.threshold = system.threshold.map(Number);
    say("rule", rule());
    say("held", system.held);
    say("unit", system.unit);
    get("slider").max = system.threshold.length - 1;
    for (const part of all("[data-needs]")) part.hidden = !system.has_lr;
    get("presets").replaceChildren(...system.presets.map(({ label, at }) => {
      const button = Object.assign(document.createElement("button"), { type: "button", textContent: label });
      button.addEventListener("click", () => go(at));
      return button;
    }));
    for (const { finalize } of Object.values(embedded)) finalize();
    embedded = {};
    go(system.presets.length ? system.presets[0].at : PLACES.eer());
    const points = system.threshold.map((_, i) => place(i));
    await Promise.all(Object.entries(charts).map(async ([name, chart]) => {
      const curve = name in system.curves ? system.curves[name] : points;
      get(name).hidden = curve === null;
      if (curve === null) return;
      const filled = { ...chart, datasets: { curve, at: [place(chosen.at)] }, params: [{ name: "top", value: system.top }] };
      const drawn = await window.vegaEmbed(get(name).querySelector("div"), filled, OPTIONS);
      if (system === mine) embedded[name] = drawn;
      else drawn.finalize();
    }));
    update();
  }

  get("slider").addEventListener("input", () => go(Number(get("slider").value)));
  get("typed").addEventListener("change", () => {
    const typed = get("typed").value;
    const threshold = asGiven(read(typed));
    const held = system.threshold.includes(threshold);
    if (Number.isNaN(threshold)) update(`“${typed}” is no threshold. `);
    else go(inForce(threshold), held ? "" : `Typed ${typed}; the next threshold is in force. `);
  });
  for (const button of all("[data-go]")) {
    button.addEventListener("click", () => go((PLACES[button.dataset.go] ?? PLACES.rate)(Number(button.dataset.go))));
  }
  function setOdds(odds) {
    chosen.odds = odds;
    get("odds").value = log10Odds();
    update();
  }
  get("odds").addEventListener("input", () => {
    setOdds(10 ** Number(get("odds").value));
    get("p").value = text(prior());
  });
  get("p").addEventListener("change", () => {
    const p = get("p").valueAsNumber;
    if (p > 0 && p < 1) setOdds(p / (1 - p));
    else get("p").value = text(prior());
  });
  for (const name of ["miss", "alarm", "lr"]) {
    get(name).addEventListener("change", () => {
      const value = get(name).valueAsNumber;
      if (value > 0 && value < Infinity) chosen[name] = value;
      get(name).value = chosen[name];
      update();
    });
  }
  get("system")?.addEventListener("change", () => show(Number(get("system").value)));
  root.hidden = false;
  if (systems[0].p_target !== null) chosen.odds = systems[0].p_target / (1 - systems[0].p_target);
  [get("odds").value, get("p").value] = [log10Odds(), text(prior())];
  show(0);
})();
