import type { AiSummary, Reads, RunFigures, ToolFigures, Window } from "../../records/reads.ts";
import type { Database } from "../database/sqlite.ts";
import { Durations } from "../figures/durations.ts";
import { ms, type Span, share, spanOf } from "./span.ts";

/** What is read of each run. */
interface RunRow {
  readonly agent: string;
  readonly model: string;
  readonly status: string;
  readonly cost_usd: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly duration_us: number;
}

interface CallRow {
  readonly tool: string;
  readonly status: string;
  readonly duration_us: number;
}

/** What runs or calls took and how they ended, one after the other. */
class Ended {
  count = 0;
  durationUs = 0;
  readonly durations = new Durations();
  readonly #byStatus = new Map<string, number>();

  add({ status, duration_us }: { readonly status: string; readonly duration_us: number }): void {
    this.count++;
    this.durationUs += duration_us;
    this.durations.add(duration_us);
    this.#byStatus.set(status, this.of(status) + 1);
  }

  of(status: string): number {
    return this.#byStatus.get(status) ?? 0;
  }

  get avgMs(): number {
    return share(ms(this.durationUs), this.count);
  }

  get figures() {
    return {
      failed: this.of("failed"),
      error_rate: share(this.of("failed"), this.count),
      avg_duration_ms: this.avgMs,
      p95_duration_ms: this.durations.percentileMs(0.95),
    };
  }
}

/** Runs with what they cost. */
class Runs extends Ended {
  inputTokens = 0;
  outputTokens = 0;
  #costUsd = 0;

  override add(run: RunRow): void {
    super.add(run);
    this.inputTokens += run.input_tokens;
    this.outputTokens += run.output_tokens;
    this.#costUsd += run.cost_usd;
  }

  get costUsd(): number {
    return usd(this.#costUsd);
  }

  get totalTokens(): number {
    return this.inputTokens + this.outputTokens;
  }
}

/** A sum of dollars without the dust that adding fractions leaves. */
export function usd(sum: number): number {
  return Math.round(sum * 1e9) / 1e9;
}

/** All runs of a window. */
export function aiSummary(database: Database, asked: Window): AiSummary {
  const runs = new Runs();
  for (const row of runsIn(database, spanOf(asked))) runs.add(row);
  const none = runs.count === 0;
  return {
    window_seconds: asked.windowSeconds,
    runs: runs.count,
    completed: runs.of("completed"),
    failed: runs.of("failed"),
    pending_approval: runs.of("pending_approval"),
    error_rate: runs.figures.error_rate,
    cost_usd: runs.costUsd,
    avg_cost_usd: none ? null : usd(runs.costUsd / runs.count),
    input_tokens: runs.inputTokens,
    output_tokens: runs.outputTokens,
    total_tokens: runs.totalTokens,
    avg_duration_ms: none ? null : runs.avgMs,
    p95_duration_ms: none ? null : runs.figures.p95_duration_ms,
  };
}

/** Runs by agent, most first. */
export function aiAgents(database: Database, asked: Window): Reads["ai_agents"]["answers"] {
  return { agents: runsBy(database, asked, "agent").map(([agent, figures]) => ({ agent, ...figures })) };
}

/** Runs by model, most first. */
export function aiModels(database: Database, asked: Window): Reads["ai_models"]["answers"] {
  return { models: runsBy(database, asked, "model").map(([model, figures]) => ({ model, ...figures })) };
}

/** Tool calls by tool, most first. */
export function aiTools(database: Database, asked: Window): { tools: ToolFigures[] } {
  const calls = database.prepare<[Span], CallRow>(
    "select tool, status, duration_us from ai_tool_calls where at >= @from and at < @to",
  );
  const groups = new Map<string, Ended>();
  for (const row of calls.iterate(spanOf(asked))) groupOf(groups, row.tool, () => new Ended()).add(row);
  return {
    tools: mostFirst(groups).map(([tool, group]) => ({ tool, calls: group.count, ...group.figures })),
  };
}

function runsBy(database: Database, asked: Window, field: "agent" | "model"): [string, RunFigures][] {
  const groups = new Map<string, Runs>();
  for (const row of runsIn(database, spanOf(asked))) groupOf(groups, row[field], () => new Runs()).add(row);
  return mostFirst(groups).map(([name, group]) => [
    name,
    { runs: group.count, ...group.figures, cost_usd: group.costUsd, total_tokens: group.totalTokens },
  ]);
}

function groupOf<Group>(groups: Map<string, Group>, name: string, empty: () => Group): Group {
  const group = groups.get(name) ?? empty();
  groups.set(name, group);
  return group;
}

function mostFirst<Group extends Ended>(groups: ReadonlyMap<string, Group>): [string, Group][] {
  return [...groups].sort(([a, { count: ofA }], [b, { count: ofB }]) => ofB - ofA || (a < b ? -1 : 1));
}

function runsIn(database: Database, span: Span): Iterable<RunRow> {
  return database
    .prepare<[Span], RunRow>(
      `select agent, model, status, cost_usd, input_tokens, output_tokens, duration_us
       from ai_runs where at >= @from and at < @to order by at, id`,
    )
    .iterate(span);
}
