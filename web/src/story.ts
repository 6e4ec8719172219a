// A run that is watched: a snapshot, and the news since.

import { api } from "./api";
import type { News, Place, Run } from "./types";

function placeIndex(run: Run, place: Place): number {
  const same = (p: Place) => p.model === place.model && p.nodes === place.nodes && p.data === place.data && p.level === place.level;
  const at = run.epochs.places.findIndex(same);
  if (at >= 0) return at;
  run.epochs.places.push({ model: place.model, nodes: place.nodes, data: place.data ?? null, level: place.level ?? null });
  return run.epochs.places.length - 1;
}

// An epoch that has to be trained again comes with its old number.
function dropFrom(run: Run, epoch: number): void {
  const columns = run.epochs;
  while (columns.epoch.length > 0 && (columns.epoch.at(-1) ?? 0) >= epoch) {
    for (const column of [columns.epoch, columns.place, columns.loss, columns.time, columns.energy, columns.planned_loss, columns.planned_energy]) column.pop();
  }
  columns.switches = columns.switches.filter((one) => one.epoch < epoch);
}

export function tell(run: Run, news: News): void {
  run.last_id = news.id;
  run.at = news.at;
  switch (news.kind) {
    case "epoch": {
      dropFrom(run, news.epoch);
      const columns = run.epochs;
      columns.epoch.push(news.epoch);
      columns.place.push(placeIndex(run, news));
      columns.loss.push(news.loss);
      columns.time.push(news.time);
      columns.energy.push(news.energy);
      columns.planned_loss.push(news.planned_loss);
      columns.planned_energy.push(news.planned_energy);
      columns.provenance = news.provenance;
      if (news.reason) columns.switches.push({ epoch: news.epoch, reason: news.reason });
      break;
    }
    case "plan":
      if (news.course) {
        if (run.first_course.length === 0) run.first_course = news.course;
        run.course = news.course;
      }
      run.chance = news.chance;
      if (news.changed) run.plans.push(news);
      break;
    case "node": {
      const at = run.nodes.findIndex((node) => node.name === news.name);
      if (at >= 0) run.nodes[at] = news;
      else run.nodes.push(news);
      break;
    }
    case "remark":
      run.remarks.push(news);
      break;
    case "end":
      run.end = news;
      run.state = news.outcome;
      break;
    case "look":
      run.head.start_loss = news.loss;
      break;
    case "resume":
      run.end = null;
      run.state = "running";
      break;
  }
}

export type Connection = "live" | "waiting";

// Calls `changed` after every handful of news, and `connected` when the line is lost or found. The
// browser asks again by itself, from the last news that it had. Returns what ends it.
export function follow(run: Run, changed: (run: Run) => void, connected: (state: Connection) => void): () => void {
  const source = new EventSource(api.eventsAddress(run.head.name, run.last_id));
  let scheduled = false;
  const soon = () => {
    if (scheduled) return;
    scheduled = true;
    requestAnimationFrame(() => {
      scheduled = false;
      changed(run);
    });
  };
  source.onopen = () => connected("live");
  source.onerror = () => connected("waiting");
  source.onmessage = (event) => {
    const news = JSON.parse(event.data) as News;
    if (news.id <= run.last_id) return;
    tell(run, news);
    soon();
  };
  source.addEventListener("standing", (event) => {
    const { carried_on } = JSON.parse((event as MessageEvent).data) as { carried_on: boolean };
    if (!run.end) run.state = carried_on ? "running" : "interrupted";
    soon();
  });
  source.addEventListener("reset", async () => {
    Object.assign(run, await api.run(run.head.name));
    soon();
  });
  return () => source.close();
}
