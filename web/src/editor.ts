// The text of a scenario, with line numbers and its problems at their lines.

import { h, replace } from "./dom";
import type { Diagnostic } from "./types";

export interface Editor {
  element: HTMLElement;
  text: () => string;
  set: (text: string, name: string) => void;
  mark: (problems: Diagnostic[]) => void;
  name: () => string;
}

function lineStart(text: string, line: number): number {
  let at = 0;
  for (let i = 1; i < line; ++i) {
    const next = text.indexOf("\n", at);
    if (next < 0) return at;
    at = next + 1;
  }
  return at;
}

export function editor(changed: () => void): Editor {
  const gutter = h("div", { class: "gutter", "aria-hidden": "true" });
  const area = h("textarea", {
    id: "scenario",
    spellcheck: "false",
    autocomplete: "off",
    autocapitalize: "off",
    wrap: "off",
    rows: 22,
    "aria-label": "Scenario, as YAML",
    "aria-describedby": "problems",
  });
  const problems = h("ol", { id: "problems", class: "problems", "aria-label": "Problems in the scenario" });
  let name = "scenario.yaml";

  const number = (marked = new Map<number, string>()) => {
    const count = area.value.split("\n").length;
    replace(
      gutter,
      ...Array.from({ length: count }, (_, i) => h("span", { class: marked.get(i + 1) ?? null }, i + 1)),
    );
    gutter.scrollTop = area.scrollTop;
  };
  const goTo = (line: number) => {
    const start = lineStart(area.value, line);
    const end = area.value.indexOf("\n", start);
    area.focus();
    area.setSelectionRange(start, end < 0 ? area.value.length : end);
    const height = area.scrollHeight / Math.max(1, area.value.split("\n").length);
    area.scrollTop = Math.max(0, (line - 4) * height);
  };
  const set = (text: string, file: string) => {
    area.value = text;
    name = file;
    number();
    changed();
  };

  area.addEventListener("input", () => {
    number();
    changed();
  });
  area.addEventListener("scroll", () => (gutter.scrollTop = area.scrollTop));

  const box = h("div", { class: "editor" }, gutter, area);
  box.addEventListener("dragover", (event) => {
    event.preventDefault();
    box.classList.add("over");
  });
  box.addEventListener("dragleave", () => box.classList.remove("over"));
  box.addEventListener("drop", async (event) => {
    event.preventDefault();
    box.classList.remove("over");
    const file = event.dataTransfer?.files[0];
    if (file) set(await file.text(), file.name);
  });

  return {
    element: h("div", {}, box, problems),
    text: () => area.value,
    name: () => name,
    set,
    mark: (found) => {
      const marked = new Map<number, string>();
      for (const problem of found) if (problem.line) marked.set(problem.line, problem.severity);
      number(marked);
      replace(
        problems,
        ...found.map((problem) =>
          h(
            "li",
            { class: problem.severity },
            problem.line
              ? h("button", { type: "button", class: "link", onclick: () => goTo(problem.line ?? 1) }, `line ${problem.line}`)
              : h("span", {}, problem.severity),
            " ",
            h("strong", {}, problem.key),
            ` ${problem.what}`,
            problem.hint ? h("span", { class: "hint" }, problem.hint) : null,
          ),
        ),
      );
      area.toggleAttribute("aria-invalid", found.some((problem) => problem.severity === "error"));
    },
  };
}
