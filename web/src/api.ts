// Asks the server.

import type { Check, Comparison, Frontier, Graph, Plan, Run, RunSummary, Strategy } from "./types";

export class ApiError extends Error {
  constructor(
    message: string,
    readonly hint: string,
    readonly status: number,
  ) {
    super(message);
  }
}

export interface Study {
  scenario: string;
  file?: string;
  settings?: Record<string, number | string>;
}

async function ask<T>(path: string, init: RequestInit = {}): Promise<T> {
  let response: Response;
  try {
    response = await fetch(`/api/v1${path}`, init);
  } catch (fault) {
    if (init.signal?.aborted) throw fault;
    throw new ApiError("The server does not answer.", "Is 'espalier serve' still running?", 0);
  }
  const document = await response.json();
  if (document.status === "ok") return document.data as T;
  throw new ApiError(document.error.message, document.error.hint, response.status);
}

function post<T>(path: string, body: object, signal?: AbortSignal): Promise<T> {
  return ask<T>(path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
    signal: signal ?? null,
  });
}

export const api = {
  examples: () => ask<{ examples: { name: string; summary: string; can_be_planned: boolean }[] }>("/examples"),
  example: (name: string) => ask<{ name: string; text: string }>(`/examples/${encodeURIComponent(name)}`),
  strategies: () => ask<{ strategies: Strategy[] }>("/strategies"),
  check: (study: Study) => post<Check>("/check", study),
  plan: (study: Study & { strategy?: string; explain?: boolean; alternatives?: boolean }) =>
    post<Plan>("/plan", study),
  frontier: (study: Study & { axis: "deadline" | "loss" }) => post<Frontier>("/frontier", study),
  graph: (study: Study & { loss_step?: number; time_step?: number }) => post<Graph>("/graph", study),
  compare: (study: Study & { strategies?: string[]; runs?: number; seed?: number }, signal: AbortSignal) =>
    post<Comparison>("/compare", study, signal),
  runs: () => ask<{ runs: RunSummary[] }>("/runs"),
  run: (name: string) => ask<Run>(`/runs/${encodeURIComponent(name)}`),
  reportAddress: (name: string) => `/api/v1/runs/${encodeURIComponent(name)}/report`,
  eventsAddress: (name: string, after: number) =>
    `/api/v1/runs/${encodeURIComponent(name)}/events?after=${after}`,
};
