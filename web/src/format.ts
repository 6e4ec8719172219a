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

export function duration(value: number | null | undefined): string {
  if (value === null || value === undefined) return "–";
  const seconds = Math.abs(value);
  if (seconds < 120) return `${digits(value, 3)} s`;
  if (seconds < 7200) return `${digits(value / 60, 3)} min`;
  if (seconds < 172800) return `${digits(value / 3600, 3)} h`;
  return `${digits(value / 86400, 3)} d`;
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
  return `${value.toLocaleString("en")} ${thing}${value === 1 ? "" : thing.endsWith("ch") ? "es" : "s"}`;
}

export function place(p: { model: string; nodes: string; data?: string | null; level?: string | null }): string {
  const extras = [p.data, p.level].filter(Boolean).join(", ");
  return `${p.model} on ${p.nodes}${extras ? ` (${extras})` : ""}`;
}
