// Strategies side by side on the same scenario, and runs side by side.

import { api, ApiError } from "../api";
import { linesView, type Line } from "../charts/lines";
import { h, replace, scroller, table } from "../dom";
import * as format from "../format";
import type { Comparison, CompareRow, Run, RunSummary } from "../types";
import type { Workbench } from "../workbench";

function bar(value: number, most: number, text: string): HTMLElement {
  const fill = h("i", { class: "bar" });
  fill.style.width = `${most > 0 ? Math.max(1, (100 * value) / most) : 0}%`;
  return h("span", { class: "barred-cell" }, fill, h("span", {}, text));
}

function rowsTable(comparison: Comparison): HTMLElement {
  const most = Math.max(...comparison.rows.map((row) => row.energy.mean));
  const longest = Math.max(...comparison.rows.map((row) => row.time.mean));
  return table<CompareRow>(
    "Strategies side by side",
    [
      { head: "strategy", cell: (row) => row.strategy },
      { head: "reached", cell: (row) => bar(row.probability, 1, comparison.noise ? `${format.percent(row.probability)} of ${row.runs}` : row.reached > 0 ? "yes" : "no") },
      { head: "energy", cell: (row) => bar(row.energy.mean, most, format.energy(row.energy.mean)) },
      { head: "above optimum", cell: (row) => (row.excess === null ? "–" : format.percent(row.excess)), numeric: true },
      { head: "time", cell: (row) => bar(row.time.mean, longest, format.duration(row.time.mean)) },
      { head: "loss", cell: (row) => format.loss(row.loss.mean), numeric: true },
      { head: "switches", cell: (row) => row.switches.mean.toFixed(comparison.noise ? 1 : 0), numeric: true },
    ],
    comparison.rows,
    (row) => (row.reached === 0 ? "faint" : null),
  );
}

function curves(comparison: Comparison): Line[] {
  return comparison.rows
    .filter((row) => row.planned.curve.length > 1)
    .map((row, i) => ({
      label: row.strategy,
      xs: row.planned.curve.map((point) => point[0]),
      ys: row.planned.curve.map((point) => point[1]),
      stroke: `var(--series-${i % 8})`,
      dash: i >= 8 ? [6, 3] : i % 2 === 1 ? [8, 3] : [],
    }));
}

function strategiesPart(bench: Workbench): HTMLElement {
  const runs = h("input", { type: "number", id: "runs", min: 1, max: 10000, value: 30 });
  const seed = h("input", { type: "number", id: "seed", min: 0, value: 1 });
  const state = h("p", { class: "headline", role: "status" });
  const rows = scroller("Strategies side by side");
  const lines = linesView("Planned loss over time of each strategy", 300);
  const notes = h("ul", { class: "notes" });
  let stop = new AbortController();

  const compare = async () => {
    stop.abort();
    const mine = (stop = new AbortController());
    replace(state, "Comparing …");
    try {
      const found = await api.compare({ ...bench.study(), runs: Number(runs.value), seed: Number(seed.value) }, mine.signal);
      const least = found.optimum.energy;
      replace(state, least === null ? "The goal is out of reach, even for someone who knows everything in advance." : `Someone who knew everything in advance would need ${format.energy(least)}.`);
      state.className = least === null ? "headline bad" : "headline";
      replace(rows, rowsTable(found));
      replace(notes, ...found.notes.map((note) => h("li", {}, note)));
      lines.show({ lines: curves(found), xFormat: format.duration, yFormat: format.loss, level: { value: found.goal.loss, label: `target ${format.loss(found.goal.loss)}` } });
    } catch (fault) {
      if (mine.signal.aborted) return;
      if (!(fault instanceof ApiError)) throw fault;
      state.className = "headline bad";
      replace(state, fault.message, fault.hint ? h("span", { class: "hint" }, fault.hint) : null);
    }
  };
  for (const input of [runs, seed]) input.addEventListener("change", compare);
  bench.changed = () => void compare();
  bench.broken = () => {
    state.className = "headline bad";
    replace(state, "The scenario has errors; this is the comparison before.");
  };
  void bench.start();
  return h("div", { class: "results" },
    h("section", { class: "card lead", "aria-labelledby": "compare-head" },
      h("h2", { id: "compare-head" }, "Strategies"),
      h("div", { class: "row" }, h("label", { class: "field", for: "runs" }, "runs, where there is luck", runs), h("label", { class: "field", for: "seed" }, "seed", seed)),
      state, rows, notes),
    h("section", { class: "card", "aria-labelledby": "curves-head" }, h("h2", { id: "curves-head" }, "What each of them plans"), lines.element));
}

function runsPart(): HTMLElement {
  const picks = h("div", { class: "picks", role: "group", "aria-label": "Runs to compare" });
  const rows = scroller("Runs side by side");
  const losses = linesView("Loss over time of each run", 280);
  const energies = linesView("Energy over time of each run", 220);
  const chosen = new Map<string, Run>();
  const place = h("section", { class: "card", "aria-labelledby": "runs-head", hidden: true },
    h("h2", { id: "runs-head" }, "Runs"), picks, rows,
    h("h3", {}, "Loss"), losses.element, h("h3", {}, "Energy"), energies.element);

  const show = () => {
    const all = [...chosen.values()];
    const line = (run: Run, i: number, ys: number[], first: number): Line => ({
      label: run.head.name, xs: [0, ...run.epochs.time], ys: [first, ...ys], stroke: `var(--series-${i % 8})`,
    });
    losses.show({ lines: all.map((run, i) => line(run, i, run.epochs.loss, run.head.start_loss)), xFormat: format.duration, yFormat: format.loss });
    energies.show({ lines: all.map((run, i) => line(run, i, run.epochs.energy, 0)), xFormat: format.duration, yFormat: format.energy });
    replace(rows, table<Run>("Runs side by side", [
      { head: "run", cell: (run) => h("a", { href: `#/runs/${encodeURIComponent(run.head.name)}` }, run.head.name) },
      { head: "strategy", cell: (run) => run.head.strategy },
      { head: "state", cell: (run) => run.state },
      { head: "energy", cell: (run) => format.energy(run.epochs.energy.at(-1) ?? 0), numeric: true },
      { head: "time", cell: (run) => format.duration(run.epochs.time.at(-1) ?? 0), numeric: true },
      { head: "loss", cell: (run) => format.loss(run.epochs.loss.at(-1) ?? run.head.start_loss), numeric: true },
      { head: "switches", cell: (run) => run.epochs.switches.length, numeric: true },
    ], all));
  };
  const toggle = async (name: string, on: boolean) => {
    if (on) chosen.set(name, await api.run(name));
    else chosen.delete(name);
    show();
  };
  void api.runs().then(async ({ runs }: { runs: RunSummary[] }) => {
    const readable = runs.filter((run) => run.state !== "unreadable");
    if (readable.length === 0) return;
    place.hidden = false;
    replace(picks, ...readable.map((run, i) => h("label", {}, h("input", { type: "checkbox", checked: i < 3, onchange: ((event: Event) => void toggle(run.name, (event.target as HTMLInputElement).checked)) as EventListener }), run.name)));
    for (const run of readable.slice(0, 3)) chosen.set(run.name, await api.run(run.name));
    show();
  });
  return place;
}

export function compareView(bench: Workbench): HTMLElement {
  const right = strategiesPart(bench);
  right.append(runsPart());
  return h("div", { class: "split" }, bench.element, right);
}
