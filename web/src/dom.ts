// Elements, made of plain text and never of markup: what others named cannot become code.

type Child = Node | string | number | null | undefined | false;
type Attributes = Record<string, string | number | boolean | null | undefined | EventListener>;

const kSvg = "http://www.w3.org/2000/svg";

function fill<E extends Element>(element: E, attributes: Attributes, children: Child[]): E {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  append(element, ...children);
  return element;
}

export function append(element: Element, ...children: Child[]): void {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : String(child));
  }
}

export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  return fill(document.createElement(tag), attributes, children);
}

export function s<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  return fill(document.createElementNS(kSvg, tag) as SVGElementTagNameMap[K], attributes, children);
}

export function replace(element: Element, ...children: Child[]): void {
  element.replaceChildren();
  append(element, ...children);
}

export interface Column<Row> {
  head: string;
  cell: (row: Row) => Child;
  numeric?: boolean;
}

export function table<Row>(
  caption: string,
  columns: Column<Row>[],
  rows: Row[],
  look: (row: Row) => string | null = () => null,
): HTMLElement {
  const heads = columns.map((c) => h("th", { scope: "col", class: c.numeric ? "num" : null }, c.head));
  const body = rows.map((row) =>
    h(
      "tr",
      { class: look(row) },
      ...columns.map((c, i) =>
        i === 0
          ? h("th", { scope: "row", "data-head": c.head }, c.cell(row))
          : h("td", { class: c.numeric ? "num" : null, "data-head": c.head }, c.cell(row)),
      ),
    ),
  );
  return h(
    "table",
    {},
    h("caption", { class: "unseen" }, caption),
    h("thead", {}, h("tr", {}, ...heads)),
    h("tbody", {}, ...body),
  );
}

// What may be wider than its place: keys can scroll it, too.
export function scroller(label: string, ...children: Child[]): HTMLElement {
  return h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": label }, ...children);
}

// Said to those who cannot see the page change.
export function announce(text: string): void {
  const place = document.getElementById("news");
  if (place && place.textContent !== text) place.textContent = text;
}
