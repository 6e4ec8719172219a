// Dashboards, a browser to look at them with, and what is told of each try.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { chromium } from "playwright-core";

// Nobody outlives the tests.
const children = new Set();
process.on("exit", () => children.forEach((child) => child.kill("SIGKILL")));

// A process whose lines are read. `stop` asks it to end and waits.
export function start(program, words, { cwd, stdin = "ignore", stop = "SIGTERM" } = {}) {
  const child = spawn(program, words, { cwd, stdio: [stdin, "pipe", "pipe"] });
  children.add(child);
  const over = once(child, "exit").then(([code, signal]) => {
    children.delete(child);
    return code ?? signal;
  });
  const lines = [];
  const wanted = [];
  let complaint = "";
  child.stderr.setEncoding("utf8").on("data", (part) => (complaint += part));
  const said = () => `${program} ${words.join(" ")}\n${lines.join("\n")}\n${complaint}`;
  createInterface({ input: child.stdout }).on("line", (line) => {
    lines.push(line);
    for (const one of wanted) one(line);
  });
  // The first line that fits, whether it came already or comes.
  const line = (pattern) =>
    new Promise((done, fail) => {
      const look = (text) => pattern.test(text) && done(pattern.exec(text));
      wanted.push(look);
      lines.forEach(look);
      void over.then((code) => fail(new Error(`ended with ${code}: ${said()}`)));
    });
  const end = async () => {
    if (child.exitCode === null && child.signalCode === null) stop === "EOF" ? child.stdin.end() : child.kill(stop);
    return over;
  };
  return { pid: child.pid, line, said, over, kill: (signal) => child.kill(signal), stop: end };
}

// With made-up runs: its address, and what ends it.
export async function startDashboard(program, ...words) {
  const child = start(program, words, { stdin: "pipe", stop: "EOF" });
  const [address] = await child.line(/http:\S+/);
  return { address, pid: child.pid, stop: child.stop };
}

export function startBrowser(...more) {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-dev-shm-usage", "--disable-background-networking", ...more],
  });
}

// Whatever the console says and whatever leaves the machine.
export const complaints = [];

export async function open(browser, address, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  const here = new URL(address);
  const isInside = (to) => ["data:", "blob:"].includes(to.protocol) || (to.protocol === here.protocol && to.host === here.host);
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("dialog", (dialog) => complaints.push(`a dialog: ${dialog.message()}`));
  page.on("request", (request) => isInside(new URL(request.url())) || complaints.push(`a request to ${request.url()}`));
  await page.goto(address);
  return page;
}

export const text = (page, selector) => page.locator(selector).first().innerText();
export const epochs = async (page) => Number(await page.locator(".figure", { hasText: "epochs" }).locator("dd").evaluate((dd) => dd.firstChild.textContent));
// Waits until the run has come so far.
export const untilEpoch = (page, number, patience = 30000) =>
  page.waitForFunction((n) => Number([...document.querySelectorAll(".figure")].find((f) => f.textContent.startsWith("epochs"))?.querySelector("dd").firstChild.textContent) >= n, number, { timeout: patience });

export const isRed = async (cell) => {
  const ink = await cell.evaluate((one) => getComputedStyle(one).color.match(/\d+/g).map(Number));
  return ink[0] > ink[1] * 1.5 && ink[0] > ink[2] * 1.5;
};

// All cases, or those whose name contains `wanted`. Ends the process, with 1 if anything is amiss.
export async function perform(cases, wanted = "") {
  let failed = 0;
  for (const [name, act] of Object.entries(cases)) {
    if (!name.includes(wanted)) continue;
    complaints.length = 0;
    const begin = Date.now();
    try {
      await act();
      assert.deepEqual(complaints, []);
      console.log(`ok      ${name} (${((Date.now() - begin) / 1000).toFixed(1)} s)`);
    } catch (fault) {
      ++failed;
      console.log(`FAILED  ${name}\n${fault.stack}\n${complaints.join("\n")}`);
    }
  }
  console.log(failed === 0 ? "all went well" : `${failed} failed`);
  process.exit(failed === 0 ? 0 : 1);
}
