// One run: where it is, where it should be, and what happened on the way.

import { api, ApiError } from "../api";
import { espalierView, type Limb } from "../charts/espalier";
import { linesView, type Line } from "../charts/lines";
import { announce, h, replace, scroller, table } from "../dom";
import * as format from "../format";
import { modelColour } from "../theme";
import { follow, type Connection } from "../story";
import type { Foreseen, Run, RunNode } from "../types";
import { badge } from "./runs";

const kMostSentences = 200;
const kMostSwitches = 50;

function lastOf(run: Run) {
  const e = run.epochs;
  return { epoch: e.epoch.at(-1) ?? 0, loss: e.loss.at(-1) ?? run.head.start_loss, time: e.time.at(-1) ?? 0, energy: e.energy.at(-1) ?? 0 };
}

function future(run: Run): Foreseen[] {
  if (run.end) return [];
  const { epoch } = lastOf(run);
  return run.course.filter((step) => step.epoch > epoch);
}

function pastLimbs(run: Run): Limb[] {
  const { epochs } = run;
  const begun = new Map(epochs.switches.map((one, i) => [one.epoch, { reason: one.reason, number: i + 1 }]));
  const limbs: Limb[] = [];
  epochs.epoch.forEach((epoch, i) => {
    const place = epochs.places[epochs.place[i]!]!;
    const last = limbs.at(-1);
    const change = begun.get(epoch);
    if (last && last.place === place && !change) {
      last.to = epochs.time[i]!;
      last.epochs += 1;
    } else {
      limbs.push({ place, from: epochs.time[i - 1] ?? 0, to: epochs.time[i]!, epochs: 1, future: false, ...change });
    }
  });
  return limbs;
}

function futureLimbs(run: Run): Limb[] {
  const limbs: Limb[] = [];
  let at = lastOf(run).time;
  let epoch = lastOf(run).epoch;
  for (const step of future(run)) {
    const last = limbs.at(-1);
    if (last && format.place(last.place) === format.place(step)) {
      last.to = step.time;
      last.epochs += step.epoch - epoch;
    } else {
      limbs.push({ place: step, from: at, to: step.time, epochs: step.epoch - epoch, future: true });
    }
    at = step.time;
    epoch = step.epoch;
  }
  return limbs;
}

function headline(run: Run): string {
  if (run.end) return `The run is over. ${run.end.sentence}`;
  if (run.state === "interrupted") return `Interrupted after epoch ${lastOf(run).epoch}: nobody carries it on.`;
  const { epoch } = lastOf(run);
  const coming = future(run);
  if (epoch === 0 && coming.length === 0) return "Waiting for its nodes.";
  if (coming.length === 0) return `After epoch ${epoch}, the strategy is deciding.`;
  const next = coming[0]!;
  return `After epoch ${epoch}: next ${format.place(next)}; the goal in ${format.count(coming.at(-1)!.epoch - epoch, "epoch")} and ${format.duration(coming.at(-1)!.time - lastOf(run).time)}.`;
}

function figure(name: string, value: string, beside: string): HTMLElement {
  return h("div", { class: "figure" }, h("dt", {}, name), h("dd", {}, value, h("small", {}, beside)));
}

function energyBeside(run: Run): string {
  const planned = run.first_course.at(-1)?.energy ?? null;
  if (run.end) return `${format.energy(planned)} planned at first`;
  const byNow = run.epochs.planned_energy.at(-1) ?? null;
  const parts = [byNow === null ? "" : `${format.energy(byNow)} planned by now`, `${format.energy(run.course.at(-1)?.energy)} foreseen in all`, `${format.energy(planned)} at first`];
  return parts.filter(Boolean).join(", ");
}

function figures(run: Run): HTMLElement {
  const now = lastOf(run);
  const left = run.head.goal.deadline - now.time;
  return h("dl", { class: "figures" },
    figure("loss", format.loss(now.loss), `target ${format.loss(run.head.goal.loss)}`),
    figure("energy", format.energy(now.energy), energyBeside(run)),
    figure(run.end ? "time" : "time left", format.duration(run.end ? now.time : Math.max(0, left)), `of ${format.duration(run.head.goal.deadline)}`),
    run.end || !run.chance ? null! : figure("chance", format.percent(run.chance.probability), `${format.percent(run.chance.interval[0])} to ${format.percent(run.chance.interval[1])}`),
    figure("epochs", String(now.epoch), `${run.epochs.switches.length === 1 ? "1 switch" : `${run.epochs.switches.length} switches`}`));
}

// What the numbers at the knots stand for, the latest first.
function switchItems(run: Run): HTMLElement[] {
  const { epochs } = run;
  const nameAt = (i: number) => (i >= 0 ? format.place(epochs.places[epochs.place[i]!]!) : "");
  const older = Math.max(0, epochs.switches.length - kMostSwitches);
  const items = epochs.switches.slice(older).map((one, i) => {
    const at = epochs.epoch.indexOf(one.epoch);
    return h("li", {}, h("b", { class: "number" }, older + i + 1), h("span", {}, h("b", {}, `${nameAt(at - 1)} → ${nameAt(at)}`.trim()), h("span", { class: "soft" }, ` at epoch ${one.epoch}`), h("br"), one.reason));
  });
  return items.reverse();
}

function lossPicture(run: Run) {
  const { epochs } = run;
  const first = run.first_course;
  const ahead = [{ time: lastOf(run).time, expected: lastOf(run).loss, robust: lastOf(run).loss }, ...future(run)];
  const band = run.end ? [] : ahead;
  const lines: Line[] = [
    { label: "first plan", xs: [0, ...first.map((s) => s.time)], ys: [run.head.start_loss, ...first.map((s) => s.expected)], stroke: "var(--soft)", width: 1.5, dash: [5, 4] },
    ...(run.end ? [] : [{ label: "foreseen, robust", xs: band.map((s) => s.time), ys: band.map((s) => s.robust), stroke: "var(--band-line)", width: 1 },
    { label: "foreseen, expected", xs: band.map((s) => s.time), ys: band.map((s) => s.expected), stroke: "var(--band-line)", width: 1 }]),
    { label: "loss", xs: [0, ...epochs.time], ys: [run.head.start_loss, ...epochs.loss], stroke: "var(--accent)", width: 2.5, points: epochs.time.length < 40 },
  ];
  return {
    lines,
    bands: run.end ? [] : [{ upper: 1, lower: 2, fill: "var(--band)" }],
    xFormat: format.duration,
    yFormat: format.loss,
    level: { value: run.head.goal.loss, label: `target ${format.loss(run.head.goal.loss)}` },
    upright: { value: run.head.goal.deadline, label: "deadline" },
  };
}

function energyPicture(run: Run) {
  const first = run.first_course;
  const ahead = run.end ? [] : [lastOf(run), ...future(run)];
  const lines: Line[] = [
    { label: "first plan", xs: [0, ...first.map((s) => s.time)], ys: [0, ...first.map((s) => s.energy)], stroke: "var(--soft)", width: 1.5, dash: [5, 4] },
    ...(run.end ? [] : [{ label: "foreseen", xs: ahead.map((s) => s.time), ys: ahead.map((s) => s.energy), stroke: "var(--band-line)", width: 1.5, dash: [2, 3] }]),
    { label: "energy", xs: [0, ...run.epochs.time], ys: [0, ...run.epochs.energy], stroke: "var(--model-1)", width: 2.5 },
  ];
  return { lines, xFormat: format.duration, yFormat: format.energy };
}

function nodesTable(run: Run): HTMLElement {
  return table<RunNode>("Nodes", [
    { head: "node", cell: (node) => node.name },
    { head: "state", cell: (node) => h("span", { class: `badge node ${node.state}` }, node.state) },
    { head: "set", cell: (node) => node.nodes },
    { head: "last seen", cell: (node) => (node.state === "expected" ? "never" : `at ${format.duration(node.last_seen)}`), numeric: true },
    { head: "last epoch", cell: (node) => format.duration(node.epoch_time), numeric: true },
    { head: "energy", cell: (node) => format.energy(node.energy), numeric: true },
    { head: "from", cell: (node) => node.energy_source || "–" },
    { head: "sent", cell: (node) => format.bytes(node.bytes), numeric: true },
  ], [...run.nodes].sort((a, b) => trouble(b) - trouble(a) || a.name.localeCompare(b.name, "en", { numeric: true })), (node) => node.state);
}

// Those that need attention come first.
function trouble(node: RunNode): number {
  return node.state === "lost" ? 2 : node.state === "silent" ? 1 : 0;
}

function nodesCounted(run: Run): string {
  const states = ["online", "silent", "lost", "expected"].map((state) => ({ state, count: run.nodes.filter((node) => node.state === state).length }));
  return states.filter(({ count }) => count > 0).map(({ state, count }) => `${count} ${state}`).join(", ");
}

function endingBox(run: Run): HTMLElement | null {
  const resumes = h("span", {}, " It can go on: ", h("code", {}, `espalier resume runs/${run.head.name}`));
  if (run.state === "interrupted") return h("div", { class: "ending stopped" }, h("strong", {}, "The run was interrupted."), resumes);
  if (!run.end) return null;
  return h("div", { class: `ending ${run.end.outcome}` }, h("strong", {}, "The run is over."), ` ${run.end.sentence}`, run.end.can_resume ? resumes : null);
}

interface Told {
  at: number;
  text: string;
  kind: string;
}

function sentences(run: Run): Told[] {
  const all: Told[] = [
    ...run.plans.map((plan) => ({ at: plan.at, text: plan.sentence, kind: "plan" })),
    ...run.remarks.map((remark) => ({ at: remark.at, text: remark.text, kind: "remark" })),
  ];
  return all.sort((a, b) => b.at - a.at).slice(0, kMostSentences);
}

// Draws a run and whatever it becomes.
export function runPicture(first: Run): { element: HTMLElement; show: (run: Run) => void; connection: (state: Connection) => void } {
  const models = first.head.models;
  const carried = document.getElementById("espalier-data") !== null;
  const say = h("p", { class: "headline", role: "status" });
  const state = h("span", {});
  const line = h("p", { class: "trouble", role: "alert", hidden: true }, "The line to the server is lost; trying again. Nothing will be missing.");
  const ending = h("div", {});
  const cards = h("div", {});
  const picture = espalierView();
  const losses = linesView("Loss over time, with what was planned and the target", 290);
  const energies = linesView("Energy over time, with what was planned", 290);
  const told = h("ol", { class: "told", tabindex: 0, "aria-label": "What was decided, the latest first" });
  const nodes = scroller("Nodes");
  const counted = h("small", { class: "soft small" });
  const switches = h("ol", { class: "switches", tabindex: 0, "aria-label": "Switches, the latest first" });
  const legend = h("p", { class: "legend" }, ...models.map((model) => {
    const dot = h("i", { class: "dot" });
    dot.style.background = modelColour(models, model);
    return h("span", { class: "chip" }, dot, model);
  }));
  let announced = 0;

  const show = (run: Run) => {
    replace(say, headline(run));
    say.hidden = run.end !== null;
    replace(state, badge(run.state));
    replace(cards, figures(run));
    replace(ending, endingBox(run));
    const past = pastLimbs(run);
    picture.show({ limbs: [...past, ...futureLimbs(run)], models, deadline: run.head.goal.deadline, reached: run.end?.outcome === "reached", fruit: run.end ? run.end.outcome === "reached" : true, ...(run.end ? {} : { now: lastOf(run).time }) });
    losses.show(lossPicture(run));
    energies.show(energyPicture(run));
    replace(told, ...sentences(run).map((one) => h("li", { class: one.kind }, h("time", {}, format.duration(one.at)), ` ${one.text}`)));
    replace(switches, ...switchItems(run));
    replace(nodes, nodesTable(run));
    replace(counted, nodesCounted(run));
    if (run.end) announce(headline(run));
    else if (run.plans.length > announced) announce(run.plans.at(-1)!.sentence);
    announced = run.plans.length;
  };
  show(first);

  const element = h("div", { class: "results" },
    h("section", { class: "card lead" },
      carried ? null : h("p", { class: "crumbs" }, h("a", { href: "#/runs" }, "Runs"), " / ", first.head.name, " · ", h("a", { href: api.reportAddress(first.head.name), download: `${first.head.name}.html` }, "save as one file")),
      h("h2", {}, first.head.scenario, " ", state),
      h("p", { class: "soft small" }, `${first.head.strategy} decides${first.head.source ? `; times and energies ${first.head.source}` : ""}`),
      line, ending, say, cards, picture.element, legend),
    h("div", { class: "pair wide" },
      h("section", { class: "card" }, h("h2", {}, "Loss"), losses.element),
      h("section", { class: "card" }, h("h2", {}, "Energy"), energies.element)),
    h("div", { class: "pair wide" },
      h("section", { class: "card" }, h("h2", {}, "Switches"), switches),
      h("section", { class: "card" }, h("h2", {}, "What was decided, and why ", h("small", { class: "soft" }, "by the clock")), told)),
    h("section", { class: "card" }, h("h2", {}, "Nodes ", counted), nodes));
  return { element, show, connection: (now) => (line.hidden = now === "live") };
}

export function runView(name: string, leaving: (end: () => void) => void): HTMLElement {
  const place = h("div", {}, h("p", { class: "soft" }, "Reading the run …"));
  let end = () => {};
  let left = false;
  leaving(() => {
    left = true;
    end();
  });
  api.run(name).then(
    (run) => {
      if (left) return;
      const view = runPicture(run);
      replace(place, view.element);
      end = follow(run, view.show, view.connection);
    },
    (fault: ApiError) => replace(place, h("section", { class: "card" }, h("p", { class: "trouble", role: "alert" }, fault.message, h("span", { class: "hint" }, fault.hint)))),
  );
  return place;
}
