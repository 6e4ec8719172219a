// A scenario planned: the plan, what it was chosen from, and what another goal would cost.

import { api, ApiError } from "../api";
import { espalierView, type Limb } from "../charts/espalier";
import { frontierView } from "../charts/frontier";
import { graphView } from "../charts/graph";
import { linesView } from "../charts/lines";
import { announce, h, replace, scroller, table } from "../dom";
import * as format from "../format";
import { modelColour } from "../theme";
import type { Alternative, Plan, Stage, Strategy } from "../types";
import type { Workbench } from "../workbench";

export function limbsOf(plan: Plan): Limb[] {
  let at = 0;
  return plan.stages.map((stage, i) => {
    const from = at;
    at += stage.time;
    return { place: stage, from, to: at, epochs: stage.epochs, future: false, reason: plan.reasons?.[i]?.sentence ?? "" };
  });
}

export function headline(plan: Plan): string {
  const goal = `loss ${format.loss(plan.goal.loss)} by ${format.duration(plan.goal.deadline)}`;
  switch (plan.verdict) {
    case "optimal":
      return `Reaches ${goal} with ${format.energy(plan.mean_energy ?? plan.energy)}; proved: nothing costs less.`;
    case "feasible":
      return `Reaches ${goal} with ${format.energy(plan.mean_energy ?? plan.energy)}.`;
    case "infeasible":
      return `No plan reaches ${goal}.`;
    case "limit":
      return plan.energy === null ? "Stopped before a plan was found." : "Stopped early; this is the best plan so far.";
  }
}

export function figures(plan: Plan): HTMLElement {
  const one = (name: string, value: string, beside = "") =>
    h("div", { class: "figure" }, h("dt", {}, name), h("dd", {}, value, beside ? h("small", {}, beside) : null));
  const chance = plan.probability_interval;
  return h(
    "dl",
    { class: "figures" },
    one("energy", format.energy(plan.mean_energy ?? plan.energy), plan.mean_energy === null ? "" : "on average"),
    one("time", format.duration(plan.time), `of ${format.duration(plan.goal.deadline)}`),
    one("loss", format.loss(plan.loss), `target ${format.loss(plan.goal.loss)}`),
    one("epochs", plan.epochs === null ? "–" : String(plan.epochs), plan.switches === null ? "" : `${plan.switches === 1 ? "1 switch" : `${plan.switches} switches`}`),
    plan.probability === null ? null! : one("chance", format.percent(plan.probability), chance ? `${format.percent(chance[0])} to ${format.percent(chance[1])}` : ""),
  );
}

function stagesTable(plan: Plan, models: string[]): HTMLElement {
  const reason = (stage: Stage) => plan.reasons?.[plan.stages.indexOf(stage)]?.sentence ?? "";
  return table<Stage>(
    "Stages of the plan",
    [
      { head: "stage", cell: (row) => h("span", { class: "chip" }, h("i", { class: "dot", "data-colour": modelColour(models, row.model) }), format.place(row)) },
      { head: "epochs", cell: (row) => row.epochs, numeric: true },
      { head: "time", cell: (row) => format.duration(row.time), numeric: true },
      { head: "energy", cell: (row) => format.energy(row.energy), numeric: true },
      { head: "loss after", cell: (row) => format.loss(row.loss), numeric: true },
      { head: "why", cell: (row) => reason(row) },
    ],
    plan.stages,
  );
}

function alternativesTable(plan: Plan): HTMLElement {
  return table<Alternative>(
    "Other strategies, and why they lost",
    [
      { head: "strategy", cell: (row) => row.strategy },
      { head: "energy", cell: (row) => format.energy(row.energy), numeric: true },
      { head: "time", cell: (row) => format.duration(row.time), numeric: true },
      { head: "why it lost", cell: (row) => row.reason },
    ],
    plan.alternatives,
  );
}

function tooMany(): HTMLElement {
  return h("p", {}, "There are too many states to draw.", h("span", { class: "hint" }, "Small problems can be drawn, such as the example first-run, or goals that are near: a larger loss, or an earlier deadline."));
}

function nearest(plan: Plan): HTMLElement | null {
  const near = plan.nearest;
  if (!near) return null;
  const ways: string[] = [];
  if (near.loss !== null) ways.push(`loss ${format.loss(near.loss)} by the same deadline`);
  if (near.deadline !== null) ways.push(`the same loss by ${format.duration(near.deadline)}`);
  if (near.probability !== null) ways.push(`the same with a chance of ${format.percent(near.probability)}`);
  return h("p", {}, ways.length > 0 ? `Within reach instead: ${ways.join("; or ")}.` : "Nothing near it is within reach either.");
}

export function paintDots(root: HTMLElement): void {
  for (const dot of root.querySelectorAll<HTMLElement>("[data-colour]")) dot.style.background = dot.dataset.colour ?? "";
}

export function lossLines(plan: Plan, models: string[]) {
  const xs = [0, ...plan.steps.map((step) => step.time)];
  const parts = models.filter((model) => plan.steps.some((step) => step.model === model));
  const firstLoss = plan.steps[0]?.loss ?? null;
  return parts.map((model) => ({
    label: model,
    xs,
    ys: [plan.steps[0]?.model === model ? firstLoss : null, ...plan.steps.map((step, i) => (step.model === model || plan.steps[i + 1]?.model === model ? step.loss : null))],
    stroke: modelColour(models, model),
    width: 2.5,
  }));
}

export function planView(bench: Workbench): HTMLElement {
  const settings: Record<string, number> = {};
  let strategy = "exact";
  let busy = false;
  let again: "quick" | "whole" | null = null;
  let shownGoal = "";

  const say = h("p", { class: "headline", role: "status" });
  const cards = h("div", {});
  const near = h("div", {});
  const picture = espalierView();
  const curve = linesView("Loss over time along the plan", 230);
  const stages = scroller("Stages of the plan");
  const others = scroller("Other strategies");
  const notes = h("ul", { class: "notes" });
  const command = h("code", { class: "command" });
  const graph = h("div", {});
  const results = h("div", { class: "results" });
  const trouble = h("p", { class: "trouble", role: "alert", hidden: true });
  const took = h("p", { class: "soft small", id: "took" });

  const moved = (key: string) => (value: number, done: boolean) => {
    settings[key] = value;
    inputs.get(key)!.value = String(value);
    (key === "goal.loss" ? byLoss : byTime).move(value, null);
    ask(done ? "whole" : "quick");
  };
  const byLoss = frontierView({ title: "Energy by target loss", what: "Target loss", shown: format.loss, moved: moved("goal.loss") });
  const byTime = frontierView({ title: "Energy by deadline", what: "Deadline", shown: format.duration, moved: moved("goal.deadline") });

  const inputs = new Map<string, HTMLInputElement>();
  const goalInput = (key: string, label: string) => {
    const input = h("input", { type: "number", min: 0, step: "any", id: key, inputmode: "decimal" });
    input.addEventListener("change", () => {
      if (input.value === "") delete settings[key];
      else settings[key] = Number(input.value);
      ask("whole");
    });
    inputs.set(key, input);
    return h("label", { class: "field", for: key }, label, input);
  };
  const strategies = h("select", { id: "strategy" });
  strategies.addEventListener("change", () => {
    strategy = strategies.value;
    ask("whole");
  });
  const reset = h("button", {
    type: "button",
    onclick: () => {
      for (const key of Object.keys(settings)) delete settings[key];
      ask("whole");
    },
  }, "As in the scenario");

  const study = () => ({ ...bench.study(), settings: { ...settings } });

  const show = (plan: Plan, whole: boolean) => {
    trouble.hidden = true;
    results.classList.remove("stale");
    replace(say, headline(plan));
    say.className = plan.verdict === "infeasible" ? "headline bad" : "headline";
    announce(headline(plan));
    replace(cards, figures(plan));
    replace(near, nearest(plan));
    inputs.get("goal.loss")!.value = String(plan.goal.loss);
    inputs.get("goal.deadline")!.value = String(plan.goal.deadline);
    const cost = plan.verdict === "infeasible" ? null : plan.energy;
    byLoss.move(plan.goal.loss, cost);
    byTime.move(plan.goal.deadline, cost);
    picture.show({ limbs: limbsOf(plan), models: bench.models, deadline: plan.goal.deadline, reached: false, fruit: plan.verdict === "optimal" || plan.verdict === "feasible" });
    curve.show({
      lines: lossLines(plan, bench.models),
      xFormat: format.duration,
      yFormat: format.loss,
      level: { value: plan.goal.loss, label: `target ${format.loss(plan.goal.loss)}` },
      upright: { value: plan.goal.deadline, label: "deadline" },
    });
    replace(stages, stagesTable(plan, bench.models));
    paintDots(stages);
    if (whole) replace(others, plan.alternatives.length > 0 ? alternativesTable(plan) : h("p", { class: "soft" }, "No other strategy fits this scenario."));
    others.classList.toggle("stale", !whole);
    replace(notes, ...plan.notes.map((note) => h("li", {}, note)));
    const sets = Object.entries(settings).map(([key, value]) => ` --set ${key}=${value}`);
    replace(command, `espalier plan ${bench.study().file}${strategy === "exact" ? "" : ` --strategy ${strategy}`}${sets.join("")}`);
  };

  const fail = (fault: unknown) => {
    if (!(fault instanceof ApiError)) throw fault;
    trouble.hidden = false;
    results.classList.add("stale");
    replace(trouble, fault.message, fault.hint ? h("span", { class: "hint" }, fault.hint) : null);
  };

  const frontiers = async () => {
    const goal = JSON.stringify(study());
    if (goal === shownGoal) return;
    shownGoal = goal;
    try {
      byTime.show(await api.frontier({ ...study(), axis: "deadline" }));
      byLoss.show(await api.frontier({ ...study(), axis: "loss" }));
      trade.hidden = false;
    } catch (fault) {
      if (!(fault instanceof ApiError)) throw fault;
      trade.hidden = true;
    }
  };

  const drawGraph = async () => {
    replace(graph, h("p", { class: "soft" }, "Drawing …"));
    try {
      const steps = { loss_step: Number(lossStep.value), time_step: Number(timeStep.value) };
      const drawn = await api.graph({ ...study(), ...steps });
      replace(graph, drawn.complete ? graphView(drawn, bench.models, Number(inputs.get("goal.loss")!.value)) : tooMany());
    } catch (fault) {
      if (!(fault instanceof ApiError)) throw fault;
      replace(graph, h("p", {}, `${fault.message}.`));
    }
  };

  // One request at a time, and always the latest goal: the plan keeps up with the hand.
  const ask = async (how: "quick" | "whole") => {
    if (busy) {
      again = again === "whole" ? "whole" : how;
      return;
    }
    busy = true;
    const whole = how === "whole";
    try {
      const begin = performance.now();
      const plan = await api.plan({ ...study(), strategy, explain: whole, alternatives: whole });
      const came = performance.now();
      show(plan, whole);
      const ms = performance.now() - begin;
      results.dataset.milliseconds = ms.toFixed(1);
      results.dataset.drawing = (performance.now() - came).toFixed(1);
      replace(took, `planned in ${format.duration(plan.stats.seconds)}, shown after ${ms.toFixed(0)} ms`);
    } catch (fault) {
      fail(fault);
    } finally {
      busy = false;
    }
    const next = again;
    again = null;
    if (next) return ask(next);
    if (whole) {
      if (details.open) await drawGraph();
      await frontiers();
    }
  };

  const lossStep = h("input", { type: "number", min: 0, step: "any", value: 0, id: "loss-step" });
  const timeStep = h("input", { type: "number", min: 0, step: "any", value: 0, id: "time-step" });
  for (const input of [lossStep, timeStep]) input.addEventListener("change", drawGraph);
  const details = h("details", { class: "card" }, h("summary", {}, "All states that the plan was chosen from"),
    h("div", { class: "row" }, h("label", { class: "field", for: "loss-step" }, "round losses up to", lossStep), h("label", { class: "field", for: "time-step" }, "and times to", timeStep)),
    graph);
  details.addEventListener("toggle", () => {
    if (details.open) void drawGraph();
  });

  const trade = h("section", { class: "card", "aria-labelledby": "trade-head", hidden: true },
    h("h2", { id: "trade-head" }, "What another goal would cost"),
    h("p", { class: "soft small" }, "Drag a handle, or use the arrow keys: the plan follows."),
    h("div", { class: "pair" }, byLoss.element, byTime.element));

  results.append(
    h("section", { class: "card lead", "aria-labelledby": "plan-head" },
      h("h2", { id: "plan-head" }, "Plan"),
      h("div", { class: "row" }, goalInput("goal.loss", "target loss"), goalInput("goal.deadline", "deadline, s"), h("label", { class: "field", for: "strategy" }, "strategy", strategies), reset),
      trouble, say, cards, near, picture.element, took),
    trade,
    h("section", { class: "card", "aria-labelledby": "stages-head" }, h("h2", { id: "stages-head" }, "Stages, and why they are there"), stages, notes),
    h("section", { class: "card", "aria-labelledby": "curve-head" }, h("h2", { id: "curve-head" }, "Loss over time"), curve.element),
    h("section", { class: "card", "aria-labelledby": "others-head" }, h("h2", { id: "others-head" }, "What other strategies would do"), others),
    details,
    h("section", { class: "card slim" }, h("h2", {}, "The same on the command line"), command),
  );

  bench.changed = () => {
    for (const key of Object.keys(settings)) delete settings[key];
    shownGoal = "";
    void ask("whole");
  };
  bench.broken = () => {
    results.classList.add("stale");
    replace(say, "The scenario has errors; this is the plan before.");
    say.className = "headline bad";
    announce("The scenario has errors.");
  };
  void api.strategies().then(({ strategies: all }: { strategies: Strategy[] }) => {
    replace(strategies, ...all.map((one) => h("option", { value: one.name, title: one.summary, selected: one.name === strategy }, one.name)));
  });
  void bench.start();
  return h("div", { class: "split" }, bench.element, results);
}
