// All states of a small problem, by epoch and loss, with the chosen way through them.

import { h, replace, s } from "../dom";
import * as format from "../format";
import { modelColour } from "../theme";
import type { Graph } from "../types";
import { logScale, logTicks, onWidth, scale, ticks } from "./axis";

const kHeight = 380;

export function graphView(graph: Graph, models: string[], target: number): HTMLElement {
  const place = h("div", { class: "drawing" });
  const epochs = Math.max(1, ...graph.states.map((state) => state.epoch));
  const losses = [target, ...graph.states.map((state) => state.loss)];
  const top = Math.max(...losses);
  const low = Math.min(...losses);
  const spread = low > 0 && top > 4 * low; // otherwise all that matters is crowded at the bottom
  onWidth(place, (width) => {
    const x = scale(0, epochs, 46, width - 18);
    const y = spread ? logScale(low * 0.9, top * 1.05, kHeight - 30, 12) : scale(0, top * 1.05, kHeight - 30, 12);
    const at = (i: number) => graph.states[i]!;
    const arcs = [...graph.arcs]
      .sort((a, b) => Number(a.chosen) - Number(b.chosen))
      .map((arc) => {
        const from = at(arc.from);
        const to = at(arc.to);
        return s("path", {
          d: `M${x(from.epoch)} ${y(from.loss)}L${x(to.epoch)} ${y(to.loss)}`,
          class: arc.chosen ? "arc chosen" : "arc",
          stroke: arc.chosen ? modelColour(models, to.model) : null,
        });
      });
    const dots = graph.states.map((state) =>
      s(
        "circle",
        { cx: x(state.epoch), cy: y(state.loss), r: state.chosen ? 6 : state.goal ? 5 : 3.5, fill: modelColour(models, state.model), class: state.goal ? "state goal" : "state" },
        s("title", {}, `epoch ${state.epoch}, ${format.place(state)}: loss ${format.loss(state.loss)}, ${format.duration(state.time)}, ${format.energy(state.energy)}${state.goal ? ", goal" : ""}`),
      ),
    );
    replace(
      place,
      s(
        "svg",
        { width, height: kHeight, viewBox: `0 0 ${width} ${kHeight}`, class: "graph", role: "img", "aria-label": `${graph.states.length} states and ${graph.arcs.length} actions; the chosen way is thick` },
        ...(spread ? logTicks : ticks)(y.from, y.to, 5).map((v) => s("g", { class: "tick" }, s("path", { d: `M46 ${y(v)}H${width - 18}` }), s("text", { x: 40, y: y(v) + 4, "text-anchor": "end" }, format.loss(v)))),
        ...ticks(0, epochs, Math.min(epochs, width / 70)).map((v) => s("g", { class: "tick" }, s("text", { x: x(v), y: kHeight - 8, "text-anchor": "middle" }, String(v)))),
        s("path", { d: `M46 ${y(target)}H${width - 18}`, class: "target" }),
        ...arcs,
        ...dots,
      ),
    );
  });
  return h("figure", {}, place, h("figcaption", {}, `${format.count(graph.states.length, "state")} by epoch and loss, ${format.count(graph.arcs.length, "action")}; colours are versions, rings reach the goal, the thick way is the plan.`));
}
