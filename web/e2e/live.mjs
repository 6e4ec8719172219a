// node e2e/live.mjs FOLDER: real runs of the programs in FOLDER, with agents that train on Fashion-MNIST, watched
// in a real browser. Ends with 1 if anything is amiss.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { epochs, isRed, open as openIn, perform, start, startBrowser, text, untilEpoch } from "./stage.mjs";

const espalier = resolve(process.argv[2], "espalier");
const browser = await startBrowser();
const open = (address, options) => openIn(browser, address, options);

const kPatience = 180000; // ms: a busy machine trains slowly
const kMembers = { gold: 3, silver: 3 };
const kScenario = `espalier: 1
name: live
goal: {loss: 0.7, deadline: 3600}
start: {model: L, nodes: gold, loss: 2.4}
models: {L: {}, M: {from: L, prune: 0.25}}
nodes: {gold: {}, silver: {}}
run:
  - {model: L, nodes: gold,   time: 4, energy: 60, learn: {rate: 0.2, floor: 0.3}}
  - {model: M, nodes: silver, time: 4, energy: 10, learn: {rate: 0.12, floor: 0.3}}
change:
  models: [{from: L, to: M, time: 1, energy: 5, jump: 0.1}]
training:
  network: vgg11
  width: 0.05
  dataset: fashion-mnist
  batch: 64
  learning_rate: 0.006
  round_to: 4
  nodes:
    gold: {samples: 900, classes: 10, members: ${kMembers.gold}}
    silver: {samples: 900, classes: 10, members: ${kMembers.silver}}
`;

async function makeSite() {
  const folder = await mkdtemp(join(tmpdir(), "espalier-live-"));
  await writeFile(join(folder, "live.yaml"), kScenario);
  const serve = start(espalier, ["serve", "runs", "--listen", "127.0.0.1:0"], { cwd: folder, stop: "SIGINT" });
  const [address] = await serve.line(/http:\S+/);
  const end = async () => {
    assert.equal(await serve.stop(), 0);
    await rm(folder, { recursive: true });
  };
  return { folder, address, end };
}

// Every node is a process of its own, as it would be on another machine.
function startAgents(folder, orchestrator) {
  const agents = new Map();
  const tell = (words) => execFileSync(espalier, words, { cwd: folder });
  for (const [nodes, members] of Object.entries(kMembers)) {
    for (let member = 1; member <= members; ++member) {
      const name = `${nodes}-${member}`;
      tell(["cert", "node", name]);
      const words = ["node", "--orchestrator", orchestrator, "--nodes", nodes, "--scenario", "live.yaml", "--member", String(member)];
      agents.set(name, start(espalier, [...words, "--certificates", `certificates/nodes/${name}`, "--work", name], { cwd: folder }));
    }
  }
  return agents;
}

// What the curves look like.
const drawn = (page) => page.evaluate(() => [...document.querySelectorAll("canvas")].map((canvas) => canvas.toDataURL()));

async function checkReport(file, count, lost) {
  const page = await open(`file://${file}`, { offline: true });
  await page.waitForSelector(".ending.reached");
  assert.equal(await epochs(page), count);
  assert.equal(await page.locator(".espalier .fruit").count(), 1);
  await page.waitForSelector("canvas");
  assert.equal(await page.locator("tr.lost").count(), lost);
  await page.context().close();
}

const cases = {
  async "a real run appears, its curves move, a node killed with -9 turns red, the run goes on and ends"() {
    const site = await makeSite();
    const page = await open(`${site.address}#/runs`);
    await page.waitForSelector("text=No runs here yet");
    execFileSync(espalier, ["cert", "init"], { cwd: site.folder });
    const run = start(espalier, ["run", "live.yaml", "-y", "--listen", "127.0.0.1:0", "--certificates", "certificates", "--output", "runs/live"], { cwd: site.folder });
    const [, orchestrator] = await run.line(/listening on (\S+);/);
    const agents = startAgents(site.folder, orchestrator);

    await page.click("tbody a >> text=live", { timeout: kPatience });
    await page.evaluate(() => (window.sameAsBefore = true));
    await untilEpoch(page, 2, kPatience);
    const before = await drawn(page);
    await untilEpoch(page, 4, kPatience);
    const after = await drawn(page);
    assert.equal(after.length, 2);
    after.forEach((curve, i) => assert.notEqual(curve, before[i], "the curve stands still"));

    assert.equal(await page.locator("tr.lost").count(), 0);
    const killed = Date.now();
    agents.get("silver-2").kill("SIGKILL");
    assert.equal(await agents.get("silver-2").over, "SIGKILL");
    await page.waitForSelector("tr.lost", { timeout: kPatience });
    console.log(`    red ${((Date.now() - killed) / 1000).toFixed(1)} s after the kill`);
    assert.match(await text(page, "tr.lost"), /silver-2/);
    assert.ok(await isRed(page.locator("tr.lost th")));
    assert.match(await text(page, ".told"), /silver-2 of silver is lost/);
    await untilEpoch(page, (await epochs(page)) + 2, kPatience);

    await page.waitForSelector(".ending.reached", { timeout: kPatience });
    assert.equal(await run.over, 0, run.said());
    assert.match(await text(page, ".ending"), /The run is over. The goal is reached/);
    assert.equal(await page.locator(".espalier .future").count(), 0);
    assert.equal(await page.locator(".switches li").count(), 1);
    assert.match(await text(page, ".switches"), /L on gold → M on silver.*the goal costs .* from here; staying with L on gold would cost/s);
    assert.ok(await page.evaluate(() => window.sameAsBefore), "the page was loaded again");
    for (const [name, agent] of agents) if (name !== "silver-2") assert.equal(await agent.over, 0, agent.said());
    await checkReport(join(site.folder, "runs/live/report.html"), await epochs(page), 1);
    await page.context().close();
    await site.end();
  },

  async "a run whose orchestrator is killed with -9 is called interrupted, and goes on when it is resumed"() {
    const site = await makeSite();
    const run = start(espalier, ["run", "live.yaml", "-y", "--output", "runs/live"], { cwd: site.folder });
    await run.line(/^epoch 2 /);
    const page = await open(`${site.address}#/runs/live`);
    await untilEpoch(page, 3, kPatience);
    run.kill("SIGKILL");
    await page.waitForSelector(".badge.interrupted", { timeout: kPatience });
    assert.match(await text(page, ".ending"), /interrupted.*espalier resume runs\/live/s);
    assert.ok(!existsSync(join(site.folder, "runs/live/report.html")));
    const count = await epochs(page);
    const again = start(espalier, ["resume", "runs/live"], { cwd: site.folder });
    await page.waitForSelector(".badge.running", { timeout: kPatience });
    await untilEpoch(page, count + 1, kPatience);
    await page.waitForSelector(".ending.reached", { timeout: kPatience });
    assert.equal(await again.over, 0, again.said());
    const whole = await (await fetch(`${site.address}api/v1/runs/live`)).json();
    assert.equal(await epochs(page), whole.data.epochs.epoch.length);
    await checkReport(join(site.folder, "runs/live/report.html"), await epochs(page), 0);
    await page.context().close();
    await site.end();
  },

  async "behind a token the page opens by its printed address, and keeps the token to itself"() {
    const folder = await mkdtemp(join(tmpdir(), "espalier-live-"));
    await writeFile(join(folder, "token"), "only-for-those-who-know-it\n");
    const serve = start(espalier, ["serve", "--listen", "127.0.0.1:0", "--token-file", "token"], { cwd: folder, stop: "SIGINT" });
    const [address] = await serve.line(/http:\S+/);
    const bare = new URL("/", address).href;
    for (const path of ["", "assets/app.js", "api/v1/runs", "metrics"]) assert.equal((await fetch(bare + path)).status, 401, path);
    const page = await open(address);
    await page.waitForSelector(".frontier .grip text");
    assert.ok(!page.url().includes("token"), page.url());
    assert.ok(!(await page.evaluate(() => document.cookie)).includes("only"), "scripts can read the token");
    await page.context().close();
    assert.equal(await serve.stop(), 0);
    await rm(folder, { recursive: true });
  },
};

await perform(cases, process.argv[3]);
