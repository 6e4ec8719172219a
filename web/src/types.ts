// What the server says, as docs/openapi.yaml describes it.

export interface Goal {
  loss: number;
  deadline: number;
  probability?: number;
}

export interface Place {
  model: string;
  nodes: string;
  data?: string | null;
  level?: string | null;
}

export interface Diagnostic {
  severity: "error" | "warning";
  line: number | null;
  column: number | null;
  key: string;
  what: string;
  hint: string;
  message: string;
}

export interface Check {
  files: { valid: boolean; scenario: string | null; summary: string | null; diagnostics: Diagnostic[] }[];
  errors: number;
  warnings: number;
}

export interface Stage extends Place {
  epochs: number;
  time: number;
  energy: number;
  loss: number;
}

export interface Step extends Place {
  epoch: number;
  time: number;
  energy: number;
  loss: number;
}

export interface Alternative {
  strategy: string;
  verdict: string;
  energy: number | null;
  time: number | null;
  loss: number | null;
  epochs: number | null;
  switches: number | null;
  probability: number | null;
  reason: string;
}

export interface Reason extends Place {
  first_epoch: number;
  sentence: string;
}

export interface Plan {
  scenario: string;
  strategy: string;
  estimator: string;
  goal: Goal;
  verdict: "optimal" | "feasible" | "infeasible" | "limit";
  energy: number | null;
  time: number | null;
  loss: number | null;
  epochs: number | null;
  switches: number | null;
  probability: number | null;
  probability_interval: [number, number] | null;
  mean_energy: number | null;
  lower_bound: number | null;
  gap: number | null;
  stages: Stage[];
  steps: Step[];
  alternatives: Alternative[];
  nearest: { loss: number | null; deadline: number | null; probability: number | null } | null;
  reasons?: Reason[];
  notes: string[];
  stats: { labels: number; seconds: number; peak_bytes: number };
}

export interface FrontierPoint {
  bound: number;
  energy: number;
  time: number;
  loss: number;
  epochs: number;
  switches: number;
  stages: Stage[];
}

export interface Frontier {
  axis: "deadline" | "loss";
  complete: boolean;
  goal: Goal;
  points: FrontierPoint[];
}

export interface Graph {
  complete: boolean; // otherwise there are too many states, and none is told
  states: (Place & { epoch: number; loss: number; time: number; energy: number; goal: boolean; chosen: boolean })[];
  arcs: { from: number; to: number; energy: number; chosen: boolean }[];
}

export interface Spread {
  mean: number;
  p05: number;
  p50: number;
  p95: number;
}

export interface CompareRow {
  strategy: string;
  runs: number;
  reached: number;
  probability: number;
  probability_interval: [number, number];
  energy: Spread;
  time: Spread;
  loss: Spread;
  switches: { mean: number };
  excess: number | null;
  planned: { verdict: string; energy: number | null; curve: [number, number, number][] };
}

export interface Comparison {
  scenario: string;
  goal: Goal;
  noise: boolean;
  rows: CompareRow[];
  optimum: { energy: number | null };
  notes: string[];
}

export interface Strategy {
  name: string;
  summary: string;
}

export interface RunSummary {
  name: string;
  state: RunStateName;
  scenario?: string;
  strategy?: string;
  epochs?: number;
  loss?: number;
  time?: number;
  energy?: number;
  goal?: Goal;
  fault?: string;
}

export type RunStateName = "running" | "reached" | "missed" | "stopped" | "failed" | "interrupted" | "unreadable";

export interface Foreseen extends Place {
  epoch: number;
  time: number;
  energy: number;
  expected: number;
  robust: number;
}

export interface Chance {
  probability: number;
  interval: [number, number];
}

export interface ToldPlan {
  at: number;
  epoch: number;
  verdict: string;
  changed: boolean;
  sentence: string;
  chance: Chance | null;
  course?: Foreseen[];
}

export interface RunNode {
  name: string;
  nodes: string;
  state: "expected" | "online" | "silent" | "lost";
  last_seen: number;
  epoch_time: number | null;
  energy: number;
  energy_source: string;
  bytes: number;
  samples: number;
}

export interface RunEnd {
  outcome: "reached" | "missed" | "stopped" | "failed";
  sentence: string;
  can_resume: boolean;
}

export interface Run {
  last_id: number;
  at: number;
  state: RunStateName;
  head: {
    name: string;
    scenario: string;
    strategy: string;
    source: string;
    goal: Goal;
    start_loss: number;
    models: string[];
    node_sets: string[];
  };
  epochs: {
    places: Place[];
    place: number[];
    epoch: number[];
    loss: number[];
    time: number[];
    energy: number[];
    planned_loss: (number | null)[];
    planned_energy: (number | null)[];
    provenance: string | null;
    switches: { epoch: number; reason: string }[];
  };
  plans: ToldPlan[];
  first_course: Foreseen[];
  course: Foreseen[];
  chance: Chance | null;
  nodes: RunNode[];
  remarks: { at: number; text: string }[];
  end: RunEnd | null;
}

export interface EpochNews extends Place {
  epoch: number;
  loss: number;
  time: number;
  energy: number;
  planned_loss: number | null;
  planned_energy: number | null;
  provenance: string;
  members: number;
  reason: string;
}

export type News = { id: number; at: number } & (
  | ({ kind: "plan" } & Omit<ToldPlan, "at">)
  | ({ kind: "epoch" } & EpochNews)
  | ({ kind: "node" } & RunNode)
  | { kind: "remark"; text: string }
  | ({ kind: "end" } & RunEnd)
  | { kind: "resume" }
  | { kind: "look"; loss: number }
);

// What a report carries with it.
export interface ReportData {
  title: string;
  made: string;
  run?: Run;
  plan?: Plan;
  scenario_text?: string;
}
