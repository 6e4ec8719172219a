// node e2e/dashboard.mjs PROGRAM: what people do, in a real browser. Ends with 1 if anything is amiss.

import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startBrowser, startDashboard } from "./stage.mjs";

const program = process.argv[2];
const browser = await startBrowser();
const complaints = [];

// Whatever the console says and whatever leaves the machine is a complaint.
async function open(address, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  const here = new URL(address);
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("dialog", (dialog) => complaints.push(`a dialog: ${dialog.message()}`));
  page.on("request", (request) => {
    const to = new URL(request.url());
    if (to.protocol !== "data:" && to.protocol !== "blob:" && to.origin !== here.origin) complaints.push(`a request to ${to.origin}`);
  });
  await page.goto(address);
  return page;
}

const text = (page, selector) => page.locator(selector).first().innerText();
const epochs = async (page) => Number(await page.locator(".figure", { hasText: "epochs" }).locator("dd").evaluate((dd) => dd.firstChild.textContent));

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

// What the server has spent on plans so far.
async function planning(address) {
  const metrics = await (await fetch(`${address}metrics`)).text();
  const figure = (name) => Number(new RegExp(`^${name}\\{route="/api/v1/plan",status="200"\\} (.*)$`, "m").exec(metrics)[1]);
  return { seconds: figure("espalier_http_request_seconds_total"), requests: figure("espalier_http_requests_total") };
}

const cases = {
  async "a run appears, its curves move, a node killed turns red, and the end is shown"() {
    const live = await startDashboard(program, "70");
    const page = await open(`${live.address}#/runs`);
    await page.click("text=factory-1");
    await page.waitForSelector(".espalier .now");
    const look = () => page.evaluate(() => [...document.querySelectorAll(".espalier .limb:not(.future)")].at(-1).getAttribute("d"));
    const [first, drawn] = await Promise.all([epochs(page), look()]);
    await page.waitForFunction((n) => Number([...document.querySelectorAll(".figure")].find((f) => f.textContent.startsWith("epochs")).querySelector("dd").firstChild.textContent) > n + 5, first);
    assert.notEqual(await look(), drawn);
    await page.waitForSelector("tr.lost");
    assert.match(await text(page, "tr.lost"), /silver-2/);
    const ink = await page.locator("tr.lost th").evaluate((cell) => getComputedStyle(cell).color.match(/\d+/g).map(Number));
    assert.ok(ink[0] > ink[1] * 1.5 && ink[0] > ink[2] * 1.5, `red, not ${ink}`);
    await page.waitForSelector(".ending.reached", { timeout: 30000 });
    assert.match(await text(page, ".ending"), /goal reached/);
    assert.equal(await page.locator(".espalier .future").count(), 0);
    assert.equal(await page.locator(".espalier .fruit").count(), 1);
    assert.match(await page.locator("main").innerText(), /<script>alert\(1\)<\/script>/);
    await page.context().close();
    await live.stop();
  },

  async "a stream that is cut goes on where it was"() {
    const live = await startDashboard(program, "40");
    const page = await open(`${live.address}#/runs/factory-1`);
    await page.waitForSelector(".espalier .now");
    const before = complaints.length;
    await page.context().setOffline(true);
    await page.waitForTimeout(1200);
    await page.context().setOffline(false);
    complaints.length = before; // the browser itself complains of the cut line
    await page.waitForSelector(".ending.reached", { timeout: 30000 });
    const shown = await page.locator(".espalier").getAttribute("aria-label");
    const total = [...shown.matchAll(/([\d,]+) epoch/g)].reduce((sum, match) => sum + Number(match[1].replace(",", "")), 0);
    assert.equal(total, await epochs(page));
    const whole = await (await fetch(`${live.address}api/v1/runs/factory-1`)).json();
    assert.equal(total, whole.data.epochs.epoch.length);
    complaints.length = before;
    await page.context().close();
    await live.stop();
  },

  async "a bad scenario shows its error at its line"() {
    const still = await startDashboard(program, "0");
    const page = await open(`${still.address}#/plan`);
    await page.waitForSelector(".frontier .grip text");
    const scenario = await page.inputValue("#scenario");
    const line = scenario.split("\n").findIndex((one) => one.includes("energy: 0.5")) + 1;
    await page.fill("#scenario", scenario.replace("energy: 0.5", "energy: -3"));
    await page.waitForSelector(".problems .error");
    assert.match(await text(page, ".problems .error"), new RegExp(`line ${line}.*run\\[1\\]\\.energy.*must be ≥ 0`, "s"));
    assert.equal(await text(page, ".gutter .error"), String(line));
    await page.click(".problems .error button");
    const selected = await page.locator("#scenario").evaluate((area) => area.value.slice(area.selectionStart, area.selectionEnd));
    assert.match(selected, /energy: -3/);
    await page.fill("#scenario", scenario);
    await page.waitForSelector(".problems:empty", { state: "attached" });
    await page.context().close();
    await still.stop();
  },

  async "dragging the target changes the plan, within 100 ms"() {
    const still = await startDashboard(program, "0");
    const page = await open(`${still.address}#/plan`);
    const grip = page.locator(".frontier-figure", { hasText: "target loss" }).locator(".grip");
    await grip.waitFor();
    await grip.scrollIntoViewIfNeeded();
    await page.waitForTimeout(300);
    const energy = () => text(page, ".figure dd");
    const before = await energy();
    const thumb = await grip.locator(".thumb").boundingBox();
    const from = { x: thumb.x + thumb.width / 2, y: thumb.y + thumb.height / 2 };
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    const spent = await planning(still.address);
    const whole = [];
    const drawing = [];
    for (let i = 1; i <= 11; ++i) {
      const goal = await grip.getAttribute("aria-valuenow");
      await page.mouse.move(from.x + 6 * i, from.y);
      await page.waitForFunction((old) => document.querySelector(".grip").getAttribute("aria-valuenow") !== old, goal);
      await page.waitForTimeout(100);
      const times = await page.locator(".results").evaluate((results) => ({ ...results.dataset }));
      whole.push(Number(times.milliseconds));
      drawing.push(Number(times.drawing));
    }
    assert.notEqual(await energy(), before);
    const after = await planning(still.address);
    await page.mouse.up();
    const server = (1000 * (after.seconds - spent.seconds)) / (after.requests - spent.requests);
    console.log(`    the server takes ${server.toFixed(1)} ms, drawing ${median(drawing)} ms; from the hand to the eye ${median(whole)} ms (medians)`);
    assert.ok(median(whole) < 100, "it takes longer than 100 ms");
    assert.match(await text(page, ".command"), /--set goal\.loss=/);
    await grip.focus();
    const dragged = await grip.getAttribute("aria-valuenow");
    await page.keyboard.press("ArrowRight");
    await page.waitForFunction((old) => document.querySelector(".grip").getAttribute("aria-valuenow") !== old, dragged);
    await page.context().close();
    await still.stop();
  },

  async "strategies and runs stand side by side"() {
    const still = await startDashboard(program, "0");
    const page = await open(`${still.address}#/compare`);
    await page.waitForSelector(".barred-cell");
    assert.ok((await page.locator("tbody tr").count()) >= 8);
    assert.equal(await page.locator(".picks input:checked").count(), 3);
    await page.context().close();
    await still.stop();
  },

  async "the page can be walked through by keyboard, and fits a phone"() {
    const still = await startDashboard(program, "0");
    const page = await open(`${still.address}#/plan`, { viewport: { width: 390, height: 844 } });
    await page.waitForSelector(".frontier .grip text");
    const reached = new Set();
    for (let i = 0; i < 40; ++i) {
      await page.keyboard.press("Tab");
      reached.add(await page.evaluate(() => document.activeElement.getAttribute("role") ?? document.activeElement.id));
    }
    for (const place of ["scenario", "goal.loss", "strategy", "slider"]) assert.ok(reached.has(place), `${place} is not reached by Tab`);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(wide <= 0, `${wide} px too wide`);
    await page.context().close();
    await still.stop();
  },

  async "a report opens from disk, without server and network"() {
    const still = await startDashboard(program, "0");
    const report = await (await fetch(`${still.address}api/v1/runs/factory-1/report`)).text();
    await still.stop();
    const folder = await mkdtemp(join(tmpdir(), "espalier-"));
    await writeFile(join(folder, "report.html"), report);
    const context = await browser.newContext({ offline: true });
    const page = await context.newPage();
    page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
    page.on("pageerror", (error) => complaints.push(error.message));
    page.on("request", (request) => !request.url().startsWith("file:") && !request.url().startsWith("data:") && complaints.push(`a request to ${request.url()}`));
    await page.goto(`file://${join(folder, "report.html")}`);
    await page.waitForSelector(".ending.reached");
    assert.equal(await page.locator(".espalier .fruit").count(), 1);
    assert.ok((await page.locator("canvas").count()) >= 2);
    await context.close();
    await rm(folder, { recursive: true });
  },
};

const wanted = process.argv[3];
let failed = 0;
for (const [name, act] of Object.entries(cases)) {
  if (wanted && !name.includes(wanted)) continue;
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
await browser.close();
console.log(failed === 0 ? "all went well" : `${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
