// The runs that there are.

import { api } from "../api";
import { h, replace, scroller, table } from "../dom";
import * as format from "../format";
import type { RunSummary } from "../types";

const kInterval = 2000;

export function badge(state: string): HTMLElement {
  return h("span", { class: `badge ${state}` }, state);
}

export function runsView(): HTMLElement {
  const place = h("div", {}, h("p", { class: "soft" }, "Looking …"));
  let last = "";
  const look = async () => {
    if (last !== "" && !place.isConnected) return;
    try {
      const { runs } = await api.runs();
      const text = JSON.stringify(runs);
      if (text !== last) show(runs);
      last = text;
    } catch {
      last = "?";
      replace(place, h("p", { class: "trouble", role: "alert" }, "The server does not answer; trying again."));
    }
    window.setTimeout(look, kInterval);
  };
  const show = (runs: RunSummary[]) => {
    if (runs.length === 0) {
      replace(place, h("p", {}, "No runs here yet. ", h("code", {}, "espalier run FILE"), " makes one; it appears by itself."));
      return;
    }
    replace(place, scroller("Runs", table<RunSummary>("Runs", [
      { head: "run", cell: (run) => h("a", { href: `#/runs/${encodeURIComponent(run.name)}` }, run.name) },
      { head: "state", cell: (run) => badge(run.state) },
      { head: "scenario", cell: (run) => run.scenario ?? run.fault ?? "" },
      { head: "strategy", cell: (run) => run.strategy ?? "" },
      { head: "epochs", cell: (run) => run.epochs ?? "–", numeric: true },
      { head: "loss", cell: (run) => `${format.loss(run.loss)} / ${format.loss(run.goal?.loss)}`, numeric: true },
      { head: "time", cell: (run) => format.duration(run.time), numeric: true },
      { head: "energy", cell: (run) => format.energy(run.energy), numeric: true },
    ], runs)));
  };
  void look();
  return h("section", { class: "card lead" }, h("h2", {}, "Runs"), place);
}
