// Round numbers along an axis.

export interface Scale {
  (value: number): number;
  from: number;
  to: number;
  invert: (pixel: number) => number;
}

export function scale(from: number, to: number, pixelFrom: number, pixelTo: number): Scale {
  const span = to - from || 1;
  const at = (value: number) => pixelFrom + ((value - from) / span) * (pixelTo - pixelFrom);
  return Object.assign(at, {
    from,
    to,
    invert: (pixel: number) => from + ((pixel - pixelFrom) / (pixelTo - pixelFrom || 1)) * span,
  });
}

// Equal factors take equal room. REQUIRES: from > 0.
export function logScale(from: number, to: number, pixelFrom: number, pixelTo: number): Scale {
  const inner = scale(Math.log(from), Math.log(to), pixelFrom, pixelTo);
  return Object.assign((value: number) => inner(Math.log(Math.max(value, from * 1e-3))), {
    from,
    to,
    invert: (pixel: number) => Math.exp(inner.invert(pixel)),
  });
}

export function logTicks(from: number, to: number, most: number): number[] {
  for (const factors of [[1, 2, 5], [1, 3], [1]]) {
    const all: number[] = [];
    for (let power = Math.floor(Math.log10(from)); 10 ** power <= to; ++power) {
      for (const factor of factors) all.push(factor * 10 ** power);
    }
    const within = all.filter((value) => value >= from && value <= to).map((value) => Number(value.toPrecision(3)));
    if (within.length <= Math.max(2, most)) return within;
  }
  return [from, to];
}

export function ticks(from: number, to: number, most: number): number[] {
  const span = to - from;
  if (!(span > 0)) return [from];
  const rough = span / Math.max(1, most);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((m) => m * power).find((candidate) => candidate >= rough) ?? rough;
  const all: number[] = [];
  for (let i = Math.ceil(from / step - 1e-9); i * step <= to * (1 + 1e-9); ++i) all.push(i * step);
  return all;
}

// Draws again whenever the place has another width.
export function onWidth(element: HTMLElement, draw: (width: number) => void): () => void {
  let width = 0; // as it was observed: to ask for it would lay out the whole page each time
  const observer = new ResizeObserver((entries) => {
    const now = Math.floor(entries.at(-1)?.contentRect.width ?? 0);
    if (now === width) return;
    width = now;
    if (width > 0) draw(width);
  });
  observer.observe(element);
  return () => {
    if (width > 0) draw(width);
  };
}
