// node e2e/load.mjs PROGRAM: 50 event streams and a run of 5,000 epochs. Ends with 1 if it is not smooth.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import http from "node:http";
import { startBrowser, startDashboard } from "./stage.mjs";

const kStreams = 50;
const kEpochs = 5000;
const kMostBytes = 100e6;
const kMostMilliseconds = 1000;

// All lines of one stream, counted.
function watch(address) {
  const seen = { news: 0, bytes: 0 };
  const request = http.get(`${address}api/v1/runs/long/events`, { agent: false }, (response) => {
    let rest = "";
    response.setEncoding("utf8").on("data", (part) => {
      seen.bytes += part.length;
      const lines = (rest + part).split("\n");
      rest = lines.pop();
      for (const line of lines) if (line.startsWith("id: ")) ++seen.news;
    });
  });
  request.on("error", () => {});
  return { seen, end: () => request.destroy() };
}

async function resident(pid) {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return 1024 * Number(/VmHWM:\s+(\d+)/.exec(status)[1]);
}

async function cpuSeconds(pid) {
  const fields = (await readFile(`/proc/${pid}/stat`, "utf8")).split(") ")[1].split(" ");
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

const dashboard = await startDashboard(process.argv[2], "0", String(kEpochs));
const run = await (await fetch(`${dashboard.address}api/v1/runs/long`)).json();
const news = run.data.last_id;
console.log(`a run of ${run.data.epochs.epoch.length} epochs and ${news} pieces of news`);
assert.ok(run.data.epochs.epoch.length >= kEpochs);

const before = await cpuSeconds(dashboard.pid);
const begin = performance.now();
const streams = Array.from({ length: kStreams }, () => watch(dashboard.address));
while (streams.some((stream) => stream.seen.news < news)) {
  assert.ok(performance.now() - begin < 120e3, "streams are stuck");
  await new Promise((done) => setTimeout(done, 20));
}
const sent = streams.reduce((sum, stream) => sum + stream.seen.bytes, 0);
console.log(`${kStreams} streams had all of it after ${((performance.now() - begin) / 1000).toFixed(2)} s: ${(sent / 1e6).toFixed(0)} MB, ${((await cpuSeconds(dashboard.pid)) - before).toFixed(2)} s of the server's CPU time`);

const browser = await startBrowser();
const page = await (await browser.newContext({ viewport: { width: 1280, height: 900 } })).newPage();
const times = [];
for (let i = 0; i < 5; ++i) {
  await page.goto("about:blank");
  await page.goto(`${dashboard.address}#/runs/long`);
  await page.waitForSelector(".espalier .limb", { state: "attached" });
  await page.waitForSelector("canvas");
  times.push(
    await page.evaluate(async () => {
      await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
      return performance.now();
    }),
  );
}
times.sort((a, b) => a - b);
console.log(`the page of the run answers after ${times[2].toFixed(0)} ms (median of 5, ${times[0].toFixed(0)} to ${times[4].toFixed(0)}), with the streams open`);
const memory = await resident(dashboard.pid);
console.log(`the server had ${(memory / 1e6).toFixed(0)} MB at most`);
await browser.close();
for (const stream of streams) stream.end();
await dashboard.stop();
assert.ok(memory < kMostBytes, "the server takes too much memory");
assert.ok(times[2] < kMostMilliseconds, "the page takes too long");
