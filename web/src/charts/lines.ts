// Curves over time.

import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";

import { h, replace } from "../dom";
import { colour, resolved } from "../theme";
import { onWidth } from "./axis";

export interface Line {
  label: string;
  xs: number[];
  ys: (number | null)[];
  stroke: string;
  width?: number;
  dash?: number[];
  points?: boolean;
}

export interface LinesPicture {
  lines: Line[];
  bands?: { upper: number; lower: number; fill: string }[]; // by position among the lines
  xFormat: (value: number) => string;
  yFormat: (value: number) => string;
  level?: { value: number; label: string }; // a horizontal line
  upright?: { value: number; label: string }; // a vertical one, where it is in sight
  log?: boolean;
}

function joined(lines: Line[]): uPlot.AlignedData {
  const tables = lines.map((line) => [line.xs, line.ys] as unknown as uPlot.AlignedData);
  return tables.length === 0 ? [[]] : uPlot.join(tables);
}

// Readable on whatever is below.
function label(ctx: CanvasRenderingContext2D, text: string, x: number, y: number): void {
  ctx.save();
  ctx.setLineDash([]);
  ctx.strokeStyle = colour("sheet");
  ctx.lineWidth = 4 * devicePixelRatio;
  ctx.lineJoin = "round";
  ctx.strokeText(text, x, y);
  ctx.fillText(text, x, y);
  ctx.restore();
}

function marks(current: () => LinesPicture): uPlot.Plugin {
  return {
    hooks: {
      draw: (plot) => {
        const picture = current();
        const { ctx, bbox } = plot;
        ctx.save();
        ctx.strokeStyle = ctx.fillStyle = colour("goal");
        ctx.lineWidth = 1.5 * devicePixelRatio;
        ctx.setLineDash([5 * devicePixelRatio, 4 * devicePixelRatio]);
        ctx.font = `${12 * devicePixelRatio}px system-ui, sans-serif`;
        ctx.beginPath();
        if (picture.level) {
          const y = plot.valToPos(picture.level.value, "y", true);
          ctx.moveTo(bbox.left, y);
          ctx.lineTo(bbox.left + bbox.width, y);
          ctx.textAlign = "left"; // curves begin high, so there is room
          label(ctx, picture.level.label, bbox.left + 6 * devicePixelRatio, y - 5 * devicePixelRatio);
        }
        if (picture.upright && picture.upright.value <= (plot.scales.x?.max ?? 0)) {
          const x = plot.valToPos(picture.upright.value, "x", true);
          ctx.moveTo(x, bbox.top);
          ctx.lineTo(x, bbox.top + bbox.height);
          ctx.textAlign = "right";
          label(ctx, picture.upright.label, x - 5, bbox.top + 12 * devicePixelRatio);
        }
        ctx.stroke();
        ctx.restore();
      },
    },
  };
}

function axis(format: (value: number) => string, size: number, space: number): uPlot.Axis {
  return {
    space,
    stroke: colour("soft"),
    grid: { stroke: colour("wire"), width: 1 },
    ticks: { stroke: colour("wire"), width: 1, size: 5 },
    font: "12px system-ui, sans-serif",
    size,
    values: (_, values) => values.map((value) => (value === null ? "" : format(value))),
  };
}

function options(current: () => LinesPicture, width: number, height: number): uPlot.Options {
  const picture = current();
  const series = picture.lines.map(
    (line): uPlot.Series => ({
      label: line.label,
      stroke: resolved(line.stroke),
      width: line.width ?? 2,
      dash: line.dash ?? [],
      spanGaps: true,
      points: { show: line.points ?? false, size: 5 },
      value: (_, value) => (value === null ? "" : picture.yFormat(value)),
    }),
  );
  return {
    width,
    height,
    padding: [10, 12, 0, 0],
    cursor: { drag: { x: false, y: false }, points: { size: 7 } },
    legend: { live: true, markers: { width: 0, fill: (_, i) => resolved(picture.lines[i - 1]?.stroke ?? "var(--soft)") } },
    scales: {
      x: { time: false },
      y: picture.log ? { distr: 3 } : { range: (_, low, high) => [Math.min(0, low), Math.max(high, current().level?.value ?? high) * 1.05] },
    },
    axes: [axis(picture.xFormat, 34, 88), axis(picture.yFormat, 58, 34)],
    series: [{ label: "at", value: (_, value) => (value === null ? "" : `at ${picture.xFormat(value)}`) }, ...series],
    bands: (picture.bands ?? []).map((band) => ({ series: [band.upper + 1, band.lower + 1], fill: resolved(band.fill) })),
    plugins: [marks(current)],
  };
}

export interface LinesView {
  element: HTMLElement;
  show: (picture: LinesPicture) => void;
}

// Only what changed is drawn again: more points in the same lines keep the plot.
export function linesView(label: string, height = 260): LinesView {
  const place = h("div", { class: "drawing", role: "img", "aria-label": label });
  let plot: uPlot | null = null;
  let picture: LinesPicture | null = null;
  let shape = "";
  let scheduled = false;

  const build = (width: number) => {
    if (!picture) return;
    plot?.destroy();
    replace(place);
    const shown = () => picture!;
    plot = new uPlot(options(shown, width, height), joined(picture.lines), place);
  };
  const again = onWidth(place, build);
  const refresh = () => {
    scheduled = false;
    if (!picture) return;
    const next = JSON.stringify([picture.lines.map((l) => [l.label, l.stroke]), picture.bands]);
    if (plot && next === shape) plot.setData(joined(picture.lines));
    else again();
    shape = next;
  };
  window.addEventListener("themechange", () => {
    if (place.isConnected) again();
  });
  return {
    element: h("figure", {}, place),
    show: (next) => {
      picture = next;
      if (!scheduled) {
        scheduled = true;
        requestAnimationFrame(refresh);
      }
    },
  };
}
