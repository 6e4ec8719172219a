// Figures for people.

function digits(value: number, count: number): string {
  if (value === 0) return "0";
  const text = value.toPrecision(count);
  return text.includes("e") ? String(Number(text)) : text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}

export function loss(value: number | null | undefined): string {
  return value === null || value === undefined ? "–" : digits(value, 3);
}

export function energy(value: number | null | undefined): string {
  if (value === null || value === undefined) return "–";
  const size = Math.abs(value);
  if (size >= 1e6) return `${digits(value / 1e6, 3)} MJ`;
  if (size >= 1e4) return `${digits(value / 1e3, 3)} kJ`;
  return `${digits(value, 3)} J`;
}

// The larger unit and what is left in the smaller one, as the command line says it.
function twoUnits(seconds: number, large: [number, string], small: [number, string]): string {
  const all = Math.round(seconds / small[0]);
  const per = large[0] / small[0];
  const rest = all % per;
  return `${Math.floor(all / per)} ${large[1]}${rest > 0 ? ` ${rest} ${small[1]}` : ""}`;
}

export function duration(value: number | null | undefined): string {
  if (value === null || value === undefined) return "–";
  if (value > 0 && value < 0.1) return `${digits(value * 1000, 2)} ms`;
  if (value < 59.995) return `${digits(value, 3)} s`;
  if (value < 3599.5) return twoUnits(value, [60, "min"], [1, "s"]);
  if (value < 48 * 3600 - 30) return twoUnits(value, [3600, "h"], [60, "min"]);
  return twoUnits(value, [86400, "d"], [3600, "h"]);
}

export function percent(value: number | null | undefined): string {
  return value === null || value === undefined ? "–" : `${digits(value * 100, 3)} %`;
}

export function bytes(value: number): string {
  if (value >= 1e9) return `${digits(value / 1e9, 3)} GB`;
  if (value >= 1e6) return `${digits(value / 1e6, 3)} MB`;
  if (value >= 1e3) return `${digits(value / 1e3, 3)} kB`;
  return `${value} B`;
}

export function count(value: number, thing: string): string {
  return `${value.toLocaleString("en")} ${thing}${value === 1 ? "" : thing === "switch" ? "es" : "s"}`;
}

export function place(p: { model: string; nodes: string; data?: string | null; level?: string | null }): string {
  const extras = [p.data, p.level].filter(Boolean).join(", ");
  return `${p.model} on ${p.nodes}${extras ? ` (${extras})` : ""}`;
}
