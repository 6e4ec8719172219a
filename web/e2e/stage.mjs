// A played dashboard and a browser to look at it with.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { chromium } from "playwright-core";

// Its address, and what ends it.
export async function startDashboard(program, ...words) {
  const child = spawn(program, words, { stdio: ["pipe", "pipe", "inherit"] });
  const line = await new Promise((done, fail) => {
    createInterface({ input: child.stdout }).once("line", done);
    child.once("exit", (code) => fail(new Error(`${program} ended with ${code}`)));
  });
  const stop = async () => {
    child.stdin.end();
    await once(child, "exit");
  };
  return { address: line, pid: child.pid, stop };
}

export function startBrowser() {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-dev-shm-usage", "--disable-background-networking"],
  });
}
