// node e2e/dashboard.mjs PROGRAM: what people do, in a real browser. Ends with 1 if anything is amiss.

import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import http from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { complaints, epochs, isRed, open as openIn, perform, startBrowser, startDashboard, text, untilEpoch } from "./stage.mjs";

const program = process.argv[2];
const browser = await startBrowser();
const open = (address, options) => openIn(browser, address, options);

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
    await page.waitForSelector(".espalier .limb:not(.future)", { state: "attached" });
    const look = () => page.evaluate(() => [...document.querySelectorAll(".espalier .limb:not(.future)")].at(-1).getAttribute("d"));
    const [first, drawn] = await Promise.all([epochs(page), look()]);
    await untilEpoch(page, first + 6);
    assert.notEqual(await look(), drawn);
    await page.waitForSelector("tr.lost");
    assert.match(await text(page, "tr.lost"), /silver-2/);
    assert.ok(await isRed(page.locator("tr.lost th")));
    await page.waitForSelector(".ending.reached", { timeout: 30000 });
    assert.match(await text(page, ".ending"), /The run is over. Goal reached/);
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

  async "a small problem shows every state that its plan was chosen from"() {
    const still = await startDashboard(program, "0");
    const page = await open(`${still.address}#/plan`);
    await page.waitForSelector(".frontier .grip text");
    await page.click("summary");
    await page.waitForSelector("text=too many states to draw");
    await page.selectOption("#example", "first-run");
    await page.waitForSelector(".graph .state.goal");
    const epochsOfPlan = Number(await page.locator(".figure", { hasText: "epochs" }).locator("dd").evaluate((dd) => dd.firstChild.textContent));
    assert.equal(await page.locator(".graph .arc.chosen").count(), epochsOfPlan);
    assert.ok((await page.locator(".graph .state").count()) > 2 * epochsOfPlan);
    await page.context().close();
    await still.stop();
  },

  async "strategies and runs stand side by side"() {
    const still = await startDashboard(program, "0");
    const page = await open(`${still.address}#/compare`);
    await page.waitForSelector(".barred-cell");
    await page.waitForSelector(".picks input");
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

  async "axe finds nothing to object to, in light and in dark"() {
    const still = await startDashboard(program, "0");
    const axe = await readFile(new URL("../node_modules/axe-core/axe.min.js", import.meta.url), "utf8");
    const views = { plan: ".barred, .frontier .grip text", compare: ".barred-cell", runs: "tbody tr", "runs/factory-1": ".ending" };
    for (const colorScheme of ["light", "dark"]) {
      for (const [view, ready] of Object.entries(views)) {
        const page = await open(`${still.address}#/${view}`, { colorScheme });
        await page.waitForSelector(ready);
        await page.evaluate(axe);
        const { violations } = await page.evaluate(() => axe.run());
        const found = violations.map((one) => `${view}, ${colorScheme}: ${one.id}: ${one.help}: ${one.nodes.map((node) => node.html.slice(0, 120)).join(" | ")}`);
        assert.deepEqual(found, []);
        await page.context().close();
      }
    }
    await still.stop();
  },

  async "markup in a scenario stays text"() {
    const still = await startDashboard(program, "0");
    const page = await open(`${still.address}#/plan`);
    await page.waitForSelector(".frontier .grip text");
    const scenario = await page.inputValue("#scenario");
    const evil = "<img src=x onerror=alert(1)>";
    await page.fill("#scenario", scenario.replace("name: smart-factory", `name: "${evil}"\n"${evil}": 1`));
    await page.waitForSelector(".problems .error");
    assert.ok((await page.locator(".problems").innerText()).includes(evil));
    assert.equal(await page.locator("main img").count(), 0);
    await page.context().close();
    await still.stop();
  },

  async "neither a name that leads here nor a page of another site gets anything"() {
    const still = await startDashboard(program, "0");
    const { port } = new URL(still.address);
    const other = http.createServer((_, response) => response.setHeader("content-type", "text/html").end("<!doctype html><title>other</title>"));
    await new Promise((done) => other.listen(0, "127.0.0.1", done));
    const misled = await startBrowser("--host-resolver-rules=MAP evil.example 127.0.0.1");
    const page = await misled.newPage();
    const answer = await page.goto(`http://evil.example:${port}/`);
    assert.equal(answer.status(), 421);
    await page.goto(`http://127.0.0.1:${other.address().port}/`);
    const got = await page.evaluate(async (address) => {
      const say = (promise) => promise.then((response) => response.text(), () => "nothing");
      const json = { method: "POST", headers: { "content-type": "application/json" }, body: "{}" };
      const plain = { method: "POST", mode: "no-cors", headers: { "content-type": "text/plain" }, body: "{}" };
      return [await say(fetch(`${address}api/v1/runs`)), await say(fetch(`${address}api/v1/plan`, json)), await say(fetch(`${address}api/v1/plan`, plain))];
    }, still.address);
    assert.deepEqual([...new Set(got)].filter((one) => one !== "nothing" && one !== ""), []);
    await page.setContent(`<iframe src="${still.address}"></iframe>`);
    await page.waitForLoadState("load");
    assert.notEqual(await page.frames()[1].title().catch(() => ""), "Espalier");
    await misled.close();
    other.close();
    await still.stop();
  },

  async "a report opens from disk, without server and network"() {
    const still = await startDashboard(program, "0");
    const report = await (await fetch(`${still.address}api/v1/runs/factory-1/report`)).text();
    await still.stop();
    const folder = await mkdtemp(join(tmpdir(), "espalier-"));
    await writeFile(join(folder, "report.html"), report);
    const page = await open(`file://${join(folder, "report.html")}`, { offline: true });
    await page.waitForSelector(".ending.reached");
    assert.equal(await page.locator(".espalier .fruit").count(), 1);
    assert.ok((await page.locator("canvas").count()) >= 2);
    await page.context().close();
    await rm(folder, { recursive: true });
  },
};

await perform(cases, process.argv[3]);
