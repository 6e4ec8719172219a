// The signature picture: node sets and versions are the wires of a frame, and the training is a
// branch that is led along them. Where it changes wires, it was pruned or handed over.

import { h, replace, s } from "../dom";
import * as format from "../format";
import { modelColour } from "../theme";
import type { Place } from "../types";
import { onWidth, scale, ticks, type Scale } from "./axis";

export interface Limb {
  place: Place;
  from: number; // s
  to: number;
  epochs: number;
  future: boolean;
  reason?: string;
  number?: number; // of the switch that it began with, where there is a list of them
}

export interface EspalierPicture {
  limbs: Limb[];
  models: string[];
  deadline: number;
  reached: boolean; // the last limb ends at the goal, and did so already
  fruit: boolean; // it ends there at all
  now?: number;
}

const kLane = 52;
const kTop = 30;
const kRight = 16;
const kMostNumbers = 30; // more knots than that stay small

const laneName = (p: Place) => format.place(p);

// Room for the names of the lanes, left of the frame.
function gutterOf(lanes: string[]): number {
  return 26 + 6.7 * Math.min(18, Math.max(...lanes.map((name) => name.length)));
}

function cut(name: string): string {
  return name.length > 18 ? `${name.slice(0, 17)}…` : name;
}

function lanesOf(limbs: Limb[]): string[] {
  const names: string[] = [];
  for (const limb of limbs) if (!names.includes(laneName(limb.place))) names.push(laneName(limb.place));
  return names;
}

function thickness(models: string[], model: string): number {
  return Math.max(3.5, 10 - 2.6 * Math.max(0, models.indexOf(model)));
}

// How many epochs one leaf stands for, so that leaves do not crowd.
function epochsPerLeaf(limbs: Limb[], x: Scale): number {
  let densest = 0;
  for (const limb of limbs) {
    const width = x(limb.to) - x(limb.from);
    if (width > 24) densest = Math.max(densest, limb.epochs / width);
  }
  const rough = densest * 13;
  return [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].find((n) => n >= rough) ?? 1000;
}

function leaf(x: number, y: number, up: boolean, limb: Limb, fill: string): SVGElement {
  const turn = up ? "" : " scale(1 -1)";
  return s("path", {
    d: "M0 0C.5-5 4-8.500 10-9 9.500-3 6 0 0 0",
    transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})${turn}`,
    class: limb.future ? "leaf future" : "leaf",
    fill: limb.future ? "none" : fill,
    stroke: limb.future ? fill : "none",
  });
}

function leaves(limb: Limb, y: number, x: Scale, each: number, picture: EspalierPicture): SVGElement[] {
  const all: SVGElement[] = [];
  const fill = modelColour(picture.models, limb.place.model);
  const half = thickness(picture.models, limb.place.model) / 2 - 0.5;
  const step = (limb.to - limb.from) / limb.epochs;
  for (let i = each; i <= limb.epochs; i += each) {
    const up = (i / each) % 2 === 0;
    all.push(leaf(x(limb.from + (i - 0.5) * step), up ? y - half : y + half, up, limb, fill));
  }
  return all;
}

function limbPath(picture: EspalierPicture, i: number, x: Scale, y: (p: Place) => number): string {
  const limb = picture.limbs[i]!;
  const before = picture.limbs[i - 1];
  const here = y(limb.place);
  const begin = x(limb.from);
  const end = x(limb.to);
  if (!before) return `M${x(0)} ${here}H${end}`;
  const there = y(before.place);
  if (there === here) return `M${begin} ${here}H${end}`;
  const bend = Math.min(22, Math.max(5, (end - begin) / 2));
  return `M${begin - 7} ${there}C${begin + bend * 0.6} ${there} ${begin - bend * 0.3} ${here} ${begin + bend} ${here}H${Math.max(end, begin + bend)}`;
}

function knot(limb: Limb, before: Limb | undefined, x: number, y: number, numbered: boolean): SVGElement {
  const number = numbered ? limb.number : undefined;
  const way = before ? `${laneName(before.place)} → ${laneName(limb.place)}` : `begins as ${laneName(limb.place)}`;
  const what = `${number ? `Switch ${number}: ` : ""}${way} at ${format.duration(limb.from)}${limb.reason ? `: ${limb.reason}` : ""}`;
  return s(
    "g",
    { class: limb.future ? "knot future" : "knot", tabindex: 0, role: "img", "aria-label": what },
    s("circle", { cx: x, cy: y, r: 12, class: "reach" }),
    s("circle", { cx: x, cy: y, r: number ? 8 : 4.5, class: "cut" }),
    number ? s("text", { x, y: y + 3.5, "text-anchor": "middle" }, number) : null,
    s("title", {}, what),
  );
}

// Where the branch changes wires, and where a run began with a switch.
function knots(limbs: Limb[], x: Scale, y: (p: Place) => number): SVGElement[] {
  const isKnot = (limb: Limb, i: number) => (i > 0 ? laneName(limbs[i - 1]!.place) !== laneName(limb.place) : limb.number !== undefined);
  const numbered = limbs.filter(isKnot).length <= kMostNumbers;
  return limbs.flatMap((limb, i) => (isKnot(limb, i) ? [knot(limb, limbs[i - 1], x(limb.from), y((limbs[i - 1] ?? limb).place), numbered)] : []));
}

function frame(lanes: string[], left: number, right: number, bottom: number): SVGElement[] {
  const parts: SVGElement[] = [
    s("path", { d: `M${left} ${kTop - 18}V${bottom}M${right} ${kTop - 18}V${bottom}`, class: "post" }),
  ];
  lanes.forEach((name, i) => {
    const y = kTop + kLane * i + 20;
    parts.push(s("path", { d: `M${left} ${y}H${right}`, class: "wire" }));
    parts.push(s("text", { x: left - 12, y: y + 4, class: "lane", "text-anchor": "end" }, cut(name), s("title", {}, name)));
  });
  return parts;
}

function timeAxis(x: Scale, width: number, bottom: number): SVGElement[] {
  return ticks(0, x.to, Math.max(2, width / 130)).map((value) =>
    s(
      "g",
      { class: "tick" },
      s("path", { d: `M${x(value)} ${bottom}v5` }),
      s(
        "text",
        { x: x(value), y: bottom + 18, "text-anchor": x(value) > width - 40 ? "end" : "middle" },
        format.duration(value),
      ),
    ),
  );
}

function upright(value: number, label: string, look: string, x: Scale, bottom: number): SVGElement {
  const right = x(value) > x(x.to) - 90;
  return s(
    "g",
    { class: look },
    s("path", { d: `M${x(value)} ${kTop - 18}V${bottom}` }),
    s("text", { x: x(value) + (right ? -6 : 6), y: kTop - 8, "text-anchor": right ? "end" : "start" }, label),
  );
}

function fruit(picture: EspalierPicture, x: Scale, y: (p: Place) => number): SVGElement | null {
  const last = picture.limbs.at(-1);
  if (!last || !picture.fruit) return null;
  const cx = x(last.to) + 7;
  const cy = y(last.place);
  const what = `the goal, ${picture.reached ? "reached" : "planned"} at ${format.duration(last.to)}`;
  return s(
    "g",
    { class: picture.reached ? "fruit" : "fruit future", role: "img", "aria-label": what },
    s("path", { d: `M${cx} ${cy - 6}q1-6 7-7`, class: "stalk" }),
    s("circle", { cx, cy, r: 7.5 }),
    s("title", {}, what),
  );
}

function draw(picture: EspalierPicture, width: number): SVGElement {
  const { limbs, deadline, models } = picture;
  const lanes = lanesOf(limbs);
  const end = Math.max(...limbs.map((limb) => limb.to), picture.now ?? 0, 1e-9);
  const last = deadline <= end * 1.35 ? Math.max(deadline, end) : end;
  const left = gutterOf(lanes);
  const x = scale(0, last * 1.02, left, width - kRight - 14);
  const bottom = kTop + kLane * lanes.length + 6;
  const y = (p: Place) => kTop + kLane * lanes.indexOf(laneName(p)) + 20;
  const each = epochsPerLeaf(limbs, x);
  const drawing = s("svg", { width, height: bottom + 26, viewBox: `0 0 ${width} ${bottom + 26}`, class: "espalier", role: "group", "aria-label": describe(picture) });
  drawing.append(...frame(lanes, left, width - kRight, bottom), ...timeAxis(x, width, bottom));
  if (deadline <= x.to) drawing.append(upright(deadline, `deadline ${format.duration(deadline)}`, "deadline", x, bottom));
  const first = limbs[0];
  if (first) drawing.append(s("path", { d: `M${left} ${bottom}V${y(first.place)}`, class: "trunk" }));
  limbs.forEach((limb, i) => {
    drawing.append(...leaves(limb, y(limb.place), x, each, picture));
    drawing.append(
      s("path", {
        d: limbPath(picture, i, x, y),
        class: limb.future ? "limb future" : "limb",
        stroke: modelColour(models, limb.place.model),
        "stroke-width": limb.future ? Math.max(2, thickness(models, limb.place.model) - 3) : thickness(models, limb.place.model),
      }),
    );
  });
  drawing.append(...knots(limbs, x, y));
  if (picture.now !== undefined) drawing.append(upright(picture.now, "now", "now", x, bottom));
  const end_fruit = fruit(picture, x, y);
  if (end_fruit) drawing.append(end_fruit);
  drawing.dataset.leaf = String(each);
  return drawing;
}

function describe(picture: EspalierPicture): string {
  const parts = picture.limbs.map((limb) => `${format.count(limb.epochs, "epoch")} of ${laneName(limb.place)}${limb.future ? ", planned" : ""}`);
  return `Training along ${parts.length} stages: ${parts.join("; ")}.`;
}

export interface EspalierView {
  element: HTMLElement;
  show: (picture: EspalierPicture) => void;
}

export function espalierView(): EspalierView {
  const place = h("div", { class: "drawing" });
  const caption = h("figcaption", {});
  let picture: EspalierPicture | null = null;
  const again = onWidth(place, (width) => {
    if (!picture || picture.limbs.length === 0) {
      replace(place);
      return replace(caption);
    }
    const drawing = draw(picture, width);
    replace(place, drawing);
    const each = Number(drawing.dataset.leaf);
    replace(caption, `A leaf stands for ${format.count(each, "epoch")}; the thicker the branch, the larger the network. Knots are switches${picture.limbs.some((limb) => limb.number) ? ", numbered as in the list below" : ""}.`);
  });
  return {
    element: h("figure", { class: "espalier-figure" }, place, caption),
    show: (next) => {
      picture = next;
      again();
    },
  };
}
