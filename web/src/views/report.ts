// The same views from what the page carries inside, without a server.

import { espalierView } from "../charts/espalier";
import { linesView } from "../charts/lines";
import { h, scroller, table } from "../dom";
import * as format from "../format";
import type { Plan, ReportData, Stage } from "../types";
import { figures, headline, limbsOf, lossLines } from "./plan";
import { runPicture } from "./run";

function planPart(plan: Plan): HTMLElement {
  const models = [...new Set(plan.stages.map((stage) => stage.model))];
  const picture = espalierView();
  const curve = linesView("Loss over time along the plan", 230);
  picture.show({ limbs: limbsOf(plan), models, deadline: plan.goal.deadline, reached: false, fruit: plan.verdict !== "infeasible" });
  curve.show({ lines: lossLines(plan, models), xFormat: format.duration, yFormat: format.loss, level: { value: plan.goal.loss, label: `target ${format.loss(plan.goal.loss)}` } });
  return h("section", { class: "card" }, h("h2", {}, "The plan"), h("p", { class: "headline" }, headline(plan)), figures(plan), picture.element, curve.element,
    scroller("Stages of the plan", table<Stage>("Stages", [
      { head: "stage", cell: (row) => format.place(row) },
      { head: "epochs", cell: (row) => row.epochs, numeric: true },
      { head: "time", cell: (row) => format.duration(row.time), numeric: true },
      { head: "energy", cell: (row) => format.energy(row.energy), numeric: true },
      { head: "loss after", cell: (row) => format.loss(row.loss), numeric: true },
    ], plan.stages)));
}

export function reportView(data: ReportData): HTMLElement {
  return h("div", { class: "results" },
    data.run ? runPicture(data.run).element : null,
    data.plan ? planPart(data.plan) : null,
    data.scenario_text ? h("details", { class: "card" }, h("summary", {}, "The scenario"), h("pre", {}, data.scenario_text)) : null,
    h("p", { class: "soft small" }, data.made));
}
