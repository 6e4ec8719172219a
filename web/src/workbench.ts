// The scenario that plan and compare are about: one text, shared by both views.

import { api, ApiError, type Study } from "./api";
import { h, replace } from "./dom";
import { editor, type Editor } from "./editor";
import type { Check } from "./types";

const kPatience = 250; // ms after the last key

export interface Workbench {
  element: HTMLElement;
  study: () => Study;
  models: string[];
  changed: (() => void) | null; // a scenario without errors is there
  broken: (() => void) | null;
  start: () => Promise<void>;
}

// In the order of the text, for colours; the server's plan names them again.
function modelsIn(text: string): string[] {
  const block = /^models:\s*(.*(?:\n(?:[ \t]+.*|[ \t]*))*)/m.exec(text)?.[1] ?? "";
  const inline = block.trimStart().startsWith("{") ? block.trim().slice(1) : block;
  return [...inline.matchAll(/(?:^|[{,]\s*|\n[ \t]+)"?([\w.-]+)"?\s*:\s*\{/g)].map((m) => m[1] ?? "");
}

export function workbench(): Workbench {
  const summary = h("p", { class: "summary", role: "status" });
  const choice = h("select", { id: "example", "aria-label": "Example" });
  const file = h("input", { type: "file", accept: ".yaml,.yml,.json", class: "unseen", id: "file" });
  let timer = 0;
  let latest = 0;

  const show = (check: Check) => {
    const found = check.files[0];
    text.mark(found?.diagnostics ?? []);
    const errors = check.errors === 1 ? "1 error" : `${check.errors} errors`;
    replace(summary, check.errors > 0 ? errors : (found?.summary ?? ""));
    summary.className = check.errors > 0 ? "summary bad" : "summary";
    return check.errors === 0;
  };
  const look = async () => {
    const mine = ++latest;
    try {
      const check = await api.check(bench.study());
      if (mine !== latest) return;
      bench.models = modelsIn(text.text());
      if (show(check)) bench.changed?.();
      else bench.broken?.();
    } catch (fault) {
      if (mine === latest && fault instanceof ApiError) replace(summary, fault.message);
    }
  };
  const text: Editor = editor(() => {
    clearTimeout(timer);
    timer = window.setTimeout(look, kPatience);
  });
  const open = async (name: string) => {
    if (!name) return;
    const example = await api.example(name);
    text.set(example.text, `${name}.yaml`);
    clearTimeout(timer);
    await look();
  };

  choice.addEventListener("change", () => open(choice.value));
  file.addEventListener("change", async () => {
    const chosen = file.files?.[0];
    if (chosen) text.set(await chosen.text(), chosen.name);
    choice.value = "";
  });

  const bench: Workbench = {
    element: h(
      "section",
      { class: "bench", "aria-labelledby": "bench-head" },
      h("h2", { id: "bench-head" }, "Scenario"),
      h(
        "div",
        { class: "row" },
        choice,
        h("label", { class: "button", for: "file" }, "Open a file"),
        file,
      ),
      text.element,
      summary,
      h("p", { class: "soft small" }, "Paste, type, or drop a file here. Nothing leaves this machine."),
    ),
    study: () => ({ scenario: text.text(), file: text.name() }),
    models: [],
    changed: null,
    broken: null,
    start: async () => {
      if (text.text()) return look();
      const { examples } = await api.examples();
      replace(
        choice,
        h("option", { value: "" }, "Choose an example …"),
        ...examples.filter((one) => one.can_be_planned).map((one) => h("option", { value: one.name, title: one.summary }, one.name)),
      );
      choice.value = "smart-factory";
      await open(choice.value);
    },
  };
  return bench;
}
