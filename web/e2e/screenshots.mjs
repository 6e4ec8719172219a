// node e2e/screenshots.mjs PROGRAM FOLDER: every view in light, dark, and at phone width.

import { mkdir } from "node:fs/promises";
import { startBrowser, startDashboard } from "./stage.mjs";

const [program, folder] = process.argv.slice(2);
await mkdir(folder, { recursive: true });
const browser = await startBrowser();
const live = await startDashboard(program, "100");
const over = await startDashboard(program, "0");

const kLooks = [
  { name: "light", viewport: { width: 1280, height: 860 }, colorScheme: "light" },
  { name: "dark", viewport: { width: 1280, height: 860 }, colorScheme: "dark" },
  { name: "phone", viewport: { width: 390, height: 844 }, colorScheme: "light" },
];

// Long pages are cut: a picture shows what a view is like.
const kTallest = { light: 1500, dark: 1500, phone: 1500 };

// The whole page, or one part of it.
async function shoot(look, name, address, prepare, part = null) {
  const context = await browser.newContext({ viewport: look.viewport, colorScheme: look.colorScheme });
  const page = await context.newPage();
  page.on("console", (message) => message.type() === "error" && console.log(name, look.name, message.text()));
  page.on("pageerror", (error) => console.log(name, look.name, error.message));
  await page.goto(address);
  await prepare(page);
  await page.waitForTimeout(400);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  if (wide > 0) console.log(`${name} ${look.name}: ${wide} px too wide`);
  const path = `${folder}/dashboard-${name}-${look.name}.png`;
  if (part) {
    await page.locator(part).screenshot({ path });
    return context.close();
  }
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  const clip = { x: 0, y: 0, width: look.viewport.width, height: Math.min(height, kTallest[look.name]) };
  await page.screenshot({ path, fullPage: true, clip });
  await context.close();
}

for (const look of kLooks) {
  await shoot(look, "plan", `${live.address}#/plan`, async (page) => {
    await page.waitForSelector(".frontier .grip text");
  });
  await shoot(look, "compare", `${over.address}#/compare`, async (page) => {
    await page.waitForSelector(".barred-cell");
    await page.waitForSelector(".picks input");
  });
}
const fresh = await startDashboard(program, "250");
await new Promise((done) => setTimeout(done, 20000));
for (const look of kLooks) {
  await shoot(look, "run", `${fresh.address}#/runs/factory-1`, (page) => page.waitForSelector(".espalier .now"));
}
await shoot(kLooks[0], "end", `${over.address}#/runs/factory-1`, (page) => page.waitForSelector(".ending"));
await shoot(kLooks[0], "runs", `${fresh.address}#/runs`, (page) => page.waitForSelector("tbody tr"));
await shoot(kLooks[0], "graph", `${live.address}#/plan`, async (page) => {
  await page.waitForSelector(".frontier .grip text");
  await page.selectOption("#example", "first-run");
  await page.click("summary");
  await page.waitForSelector(".graph .state.goal");
}, "details");
await shoot(kLooks[0], "error", `${live.address}#/plan`, async (page) => {
  await page.waitForSelector(".frontier .grip text");
  const text = await page.inputValue("#scenario");
  await page.fill("#scenario", text.replace("energy: 0.5", "energy: -3").replace("deadline: 1000", "deadlin: 1000"));
  await page.waitForSelector(".problems .error");
});
await browser.close();
for (const one of [live, over, fresh]) await one.stop();
