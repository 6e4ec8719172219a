import "./style.css";
import { h, replace } from "./dom";
import { nextTheme, startTheme, themeName } from "./theme";
import type { ReportData } from "./types";
import { compareView } from "./views/compare";
import { planView } from "./views/plan";
import { reportView } from "./views/report";
import { runView } from "./views/run";
import { runsView } from "./views/runs";
import { workbench } from "./workbench";

const kViews = [
  { path: "runs", name: "Runs" },
  { path: "plan", name: "Plan" },
  { path: "compare", name: "Compare" },
];

function reportData(): ReportData | null {
  const carried = document.getElementById("espalier-data");
  return carried?.textContent ? (JSON.parse(carried.textContent) as ReportData) : null;
}

function themeButton(): HTMLElement {
  const name = (theme: string) => `Theme: ${theme}`;
  const button = h("button", { type: "button", class: "theme" }, name(themeName()));
  button.addEventListener("click", () => replace(button, name(nextTheme())));
  return button;
}

function wordmark(): HTMLElement {
  return h("a", { class: "mark", href: "#/" }, h("span", { class: "sprig", "aria-hidden": "true" }), "Espalier");
}

function start(): void {
  startTheme();
  const top = document.getElementById("top")!;
  const main = document.getElementById("main")!;
  const report = reportData();
  if (report) {
    document.title = `${report.title} – Espalier`;
    replace(top, h("div", { class: "bar-top" }, wordmark(), h("span", { class: "soft" }, report.title), themeButton()));
    replace(main, h("h1", { class: "unseen" }, report.title), reportView(report));
    return;
  }
  const links = kViews.map((view) => h("a", { href: `#/${view.path}` }, view.name));
  replace(top, h("div", { class: "bar-top" }, wordmark(), h("nav", { "aria-label": "Views" }, ...links), themeButton()));
  const bench = workbench();
  let leave = () => {};

  const route = () => {
    leave();
    leave = () => {};
    const [view = "", name = ""] = location.hash.replace(/^#\//, "").split("/");
    const current = kViews.find((one) => one.path === view)?.path ?? "plan";
    links.forEach((link, i) => (kViews[i]!.path === current ? link.setAttribute("aria-current", "page") : link.removeAttribute("aria-current")));
    const title = kViews.find((one) => one.path === current)!.name;
    document.title = `${name ? decodeURIComponent(name) : title} – Espalier`;
    const content =
      current === "runs" ? (name ? runView(decodeURIComponent(name), (end) => (leave = end)) : runsView()) : current === "compare" ? compareView(bench) : planView(bench);
    replace(main, h("h1", { class: "unseen" }, title), content);
  };
  window.addEventListener("hashchange", () => {
    route();
    main.focus();
  });
  route();
}

start();
