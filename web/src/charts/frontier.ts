// The least energy for every target or deadline, with a handle: drag it, or move it by the arrows.

import { h, replace, s } from "../dom";
import * as format from "../format";
import type { Frontier } from "../types";
import { logScale, logTicks, onWidth, scale, ticks, type Scale } from "./axis";

const kHeight = 190;
const kLeft = 54;
const kBottom = 30;
const kTop = 14;

export interface FrontierView {
  element: HTMLElement;
  show: (frontier: Frontier) => void;
  move: (goal: number, energy: number | null) => void;
}

interface Handle {
  title: string;
  what: string;
  shown: (value: number) => string;
  moved: (value: number, done: boolean) => void;
}

// Too wide for equal steps: what happens near the small end would not be seen.
const isWide = (least: number, most: number) => least > 0 && most / least > 8;

function rangeOf(frontier: Frontier): [number, number] {
  const first = frontier.points[0]?.bound ?? 0;
  const last = frontier.points.at(-1)?.bound ?? 1;
  if (isWide(first, last)) return [first * 0.6, last * 1.15];
  const span = last - first || Math.max(last, 1e-9);
  return [Math.max(0, first - 0.12 * span), last + 0.14 * span];
}

function stairs(frontier: Frontier, x: Scale, y: Scale): string {
  let path = "";
  for (const point of frontier.points) {
    path += path === "" ? `M${x(point.bound)} ${y(point.energy)}` : `H${x(point.bound)}V${y(point.energy)}`;
  }
  return `${path}H${x(x.to)}`;
}

export function frontierView(handle: Handle): FrontierView {
  const place = h("div", { class: "drawing" });
  const title = h("h3", {}, handle.title);
  let frontier: Frontier | null = null;
  let x = scale(0, 1, 0, 1);
  let y = scale(0, 1, 1, 0);
  let goal = 0;
  let cost: number | null = null;

  const grip = s("g", {
    class: "grip",
    tabindex: 0,
    role: "slider",
    "aria-label": handle.what,
    onkeydown: ((event: KeyboardEvent) => {
      const step = event.shiftKey ? 24 : 5; // pixels
      const by = { ArrowRight: step, ArrowUp: step, ArrowLeft: -step, ArrowDown: -step }[event.key];
      if (by === undefined) return;
      event.preventDefault();
      handle.moved(clamp(x.invert(x(Math.min(goal, x.to)) + by)), true);
    }) as EventListener,
    onpointerdown: ((event: PointerEvent) => {
      event.preventDefault();
      grip.focus();
      grip.setPointerCapture(event.pointerId);
    }) as EventListener,
    onpointermove: ((event: PointerEvent) => {
      if (grip.hasPointerCapture(event.pointerId)) handle.moved(valueAt(event), false);
    }) as EventListener,
    onpointerup: ((event: PointerEvent) => {
      if (grip.hasPointerCapture(event.pointerId)) handle.moved(valueAt(event), true);
    }) as EventListener,
  });
  const clamp = (value: number) => {
    const within = Math.max(x.from, Math.min(x.to, value));
    return Number(within.toPrecision(3));
  };
  const valueAt = (event: PointerEvent) => {
    const box = place.getBoundingClientRect();
    return clamp(x.invert(event.clientX - box.left));
  };

  const drawGrip = () => {
    const at = x(Math.max(x.from, Math.min(goal, x.to)));
    const bottom = kHeight - kBottom;
    const reach = cost !== null && cost <= y.to * 1.02 ? y(cost) : null;
    const right = at > x(x.to) - 78;
    replace(
      grip,
      s("rect", { x: at - 16, y: kTop - 6, width: 32, height: bottom - kTop + 18, class: "reach" }),
      s("path", { d: `M${at} ${kTop}V${bottom}`, class: "line" }),
      reach === null ? null : s("circle", { cx: at, cy: reach, r: 5, class: "spot" }),
      s("path", { d: `M${at - 7} ${bottom + 12}h14v-8l-7-8-7 8z`, class: "thumb" }),
      s("text", { x: at + (right ? -9 : 9), y: kTop + 8, "text-anchor": right ? "end" : "start" }, handle.shown(goal) + (goal > x.to ? " →" : "")),
    );
    grip.setAttribute("aria-valuemin", String(x.from));
    grip.setAttribute("aria-valuemax", String(x.to));
    grip.setAttribute("aria-valuenow", String(goal));
    grip.setAttribute("aria-valuetext", `${handle.shown(goal)}, ${cost === null ? "out of reach" : format.energy(cost)}`);
  };

  const again = onWidth(place, (width) => {
    if (!frontier) return;
    if (frontier.points.length === 0) {
      replace(place, h("p", { class: "soft" }, "Out of reach, however this is moved."));
      return;
    }
    const [from, to] = rangeOf(frontier);
    const most = frontier.points[0]!.energy;
    const least = frontier.points.at(-1)!.energy;
    const wide = isWide(frontier.points[0]!.bound, frontier.points.at(-1)!.bound);
    const high = isWide(least, most);
    x = (wide ? logScale : scale)(from, to, kLeft, width - 12);
    y = high ? logScale(least * 0.8, most * 1.2, kHeight - kBottom, kTop) : scale(Math.max(0, least - (most - least) * 0.25), most + (most - least) * 0.08 || 1, kHeight - kBottom, kTop);
    const first = x(frontier.points[0]!.bound);
    const focused = document.activeElement === grip;
    drawGrip();
    replace(
      place,
      s(
        "svg",
        { width, height: kHeight, viewBox: `0 0 ${width} ${kHeight}`, class: "frontier", role: "group", "aria-label": `${handle.title}: ${frontier.points.length} plans` },
        s("rect", { x: kLeft, y: kTop, width: Math.max(0, first - kLeft), height: kHeight - kBottom - kTop, class: "barred" }),
        ...(high ? logTicks : ticks)(y.from, y.to, 4).map((v) =>
          s("g", { class: "tick" }, s("path", { d: `M${kLeft} ${y(v)}H${width - 12}` }), s("text", { x: kLeft - 7, y: y(v) + 4, "text-anchor": "end" }, format.energy(v))),
        ),
        ...(wide ? logTicks : ticks)(from, to, Math.max(2, width / 100)).map((v) =>
          s("g", { class: "tick" }, s("text", { x: x(v), y: kHeight - 4, "text-anchor": "middle" }, handle.shown(v))),
        ),
        s("path", { d: `${stairs(frontier, x, y)}V${kHeight - kBottom}H${first}Z`, class: "under" }),
        s("path", { d: stairs(frontier, x, y), class: "stairs" }),
        grip,
      ),
    );
    if (focused) grip.focus();
  });

  return {
    element: h("figure", { class: "frontier-figure" }, title, place),
    show: (next) => {
      frontier = next;
      again();
    },
    move: (value, energy) => {
      goal = value;
      cost = energy;
      if (frontier && frontier.points.length > 0) drawGrip();
    },
  };
}
