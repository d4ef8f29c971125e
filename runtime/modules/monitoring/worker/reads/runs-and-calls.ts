import { mask } from "../../../../core/masking/index.ts";
import type {
  AiRun,
  AiRunDetails,
  AiSummary,
  Buckets,
  CostTimeseries,
  McpCall,
  McpSummary,
  Reads,
  RunFigures,
  ToolFigures,
  Window,
} from "../../records/reads.ts";
import type { Database } from "../database/sqlite.ts";
import { Durations } from "../figures.ts";
import { bucketsOf } from "./request-figures.ts";
import { iso, ms, type Span, share, spanOf } from "./requests.ts";

/** The columns of a run that its figures need. */
interface RunValues {
  readonly agent: string;
  readonly model: string;
  readonly status: string;
  readonly cost_usd: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly duration_us: number;
}

interface CallValues {
  readonly tool: string;
  readonly status: string;
  readonly duration_us: number;
}

/** Durations and results of runs or calls. */
class CallStats {
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

/** Figures of runs, with tokens and cost. */
class RunStats extends CallStats {
  inputTokens = 0;
  outputTokens = 0;
  #costUsd = 0;

  override add(run: RunValues): void {
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

/** Rounds a sum of dollars to nine decimal places, because sums of fractions are inexact. */
function usd(sum: number): number {
  return Math.round(sum * 1e9) / 1e9;
}

/** Figures of all runs of a window. */
export function aiSummary(database: Database, asked: Window): AiSummary {
  const runs = new RunStats();
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
export function aiAgents(database: Database, asked: Window): Reads["ai_agents"]["result"] {
  return { agents: runsBy(database, asked, "agent").map(([agent, figures]) => ({ agent, ...figures })) };
}

/** Runs by model, most first. */
export function aiModels(database: Database, asked: Window): Reads["ai_models"]["result"] {
  return { models: runsBy(database, asked, "model").map(([model, figures]) => ({ model, ...figures })) };
}

/** Tool calls by tool, most first. */
export function aiTools(database: Database, asked: Window): { tools: ToolFigures[] } {
  const calls = database.prepare<[Span], CallValues>(
    "select tool, status, duration_us from ai_tool_calls where at >= @from and at < @to",
  );
  const groups = new Map<string, CallStats>();
  for (const row of calls.iterate(spanOf(asked))) groupOf(groups, row.tool, () => new CallStats()).add(row);
  return {
    tools: mostFirst(groups).map(([tool, group]) => ({ tool, calls: group.count, ...group.figures })),
  };
}

function runsBy(database: Database, asked: Window, field: "agent" | "model"): [string, RunFigures][] {
  const groups = new Map<string, RunStats>();
  for (const row of runsIn(database, spanOf(asked)))
    groupOf(groups, row[field], () => new RunStats()).add(row);
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

function mostFirst<Group extends CallStats>(groups: ReadonlyMap<string, Group>): [string, Group][] {
  return [...groups].sort(([a, { count: ofA }], [b, { count: ofB }]) => ofB - ofA || (a < b ? -1 : 1));
}

function runsIn(database: Database, span: Span): Iterable<RunValues> {
  return database
    .prepare<[Span], RunValues>(
      `select agent, model, status, cost_usd, input_tokens, output_tokens, duration_us
       from ai_runs where at >= @from and at < @to order by at, id`,
    )
    .iterate(span);
}

interface RunRow extends Omit<AiRun, "at" | "duration_ms" | "total_tokens"> {
  readonly id: number;
  readonly at: number;
  readonly duration_us: number;
}

interface ToolCallRow extends Omit<AiRunDetails["tool_calls"][number], "duration_ms"> {
  readonly duration_us: number;
}

const selectRuns = `
  select id, run_id, agent, model, provider, input_tokens, output_tokens, cost_usd, duration_us, turns, status, error_code,
    conversation_id, user_id, at, (select count(*) from ai_tool_calls where ai_run_id = ai_runs.id) as tool_calls
  from ai_runs`;

/** Runs of a window, newest first. */
export function aiRuns(database: Database, asked: Reads["ai_runs"]["args"]): { runs: AiRun[] } {
  const { status, limit } = asked;
  const rows = database.prepare<[object], RunRow>(
    `${selectRuns}
     where at >= @from and at < @to and status = ifnull(@status, status) order by at desc, id desc limit @limit`,
  );
  return { runs: rows.all({ ...spanOf(asked), status, limit }).map(runOf) };
}

/** One run with its tool calls, in their order. */
export function aiRun(database: Database, { runId }: Reads["ai_run"]["args"]): AiRunDetails | null {
  const row = database.prepare<[string], RunRow>(`${selectRuns} where run_id = ?`).get(mask(runId));
  if (row === undefined) return null;
  const calls = database.prepare<[number], ToolCallRow>(
    "select tool, duration_us, status, error_message from ai_tool_calls where ai_run_id = ? order by id",
  );
  return {
    run: runOf(row),
    tool_calls: calls.all(row.id).map((call) => ({
      tool: call.tool,
      duration_ms: ms(call.duration_us),
      status: call.status,
      error_message: call.error_message,
    })),
  };
}

function runOf({ id: _, duration_us, at, ...row }: RunRow): AiRun {
  return {
    ...row,
    total_tokens: row.input_tokens + row.output_tokens,
    duration_ms: ms(duration_us),
    at: iso(at),
  };
}

/** The cost of runs by bucket, with empty buckets. */
export function aiCosts(database: Database, asked: Buckets): CostTimeseries {
  const { span, all, indexOf } = bucketsOf(asked, () => ({ cost: 0, runs: 0 }));
  const runs = database.prepare<[Span], { at: number; cost_usd: number }>(
    "select at, cost_usd from ai_runs where at >= @from and at < @to order by at, id",
  );
  for (const run of runs.iterate(span)) {
    const bucket = all[indexOf(run.at)]?.bucket;
    if (bucket === undefined) continue;
    bucket.cost += run.cost_usd;
    bucket.runs++;
  }
  return {
    bucket_seconds: asked.bucketSeconds,
    buckets: all.map(({ at, bucket }) => ({ at: iso(at), cost_usd: usd(bucket.cost), runs: bucket.runs })),
  };
}

interface CallRow extends Omit<McpCall, "at" | "duration_ms"> {
  readonly at: number;
  readonly duration_us: number;
}

/** Calls by server and tool, most first. */
export function mcpSummary(database: Database, asked: Window): McpSummary {
  const calls = database.prepare<[Span], CallValues & { readonly server: string }>(
    `select server, tool, status, duration_us from mcp_calls
     where at >= @from and at < @to order by server, tool`,
  );
  const groups = new Map<string, { server: string; tool: string; ended: CallStats }>();
  for (const call of calls.iterate(spanOf(asked))) {
    const { server, tool } = call;
    groupOf(groups, JSON.stringify([server, tool]), () => ({
      server,
      tool,
      ended: new CallStats(),
    })).ended.add(call);
  }
  const tools = [...groups.values()].sort((one, other) => other.ended.count - one.ended.count);
  return {
    window_seconds: asked.windowSeconds,
    tools: tools.map(({ server, tool, ended }) => ({
      server,
      tool,
      calls: ended.count,
      errors: ended.of("error"),
      asked: ended.of("asked"),
      avg_duration_ms: ms(ended.durationUs / ended.count),
      p95_duration_ms: ended.durations.percentileMs(0.95),
    })),
  };
}

/** Calls of a window, newest first. */
export function mcpCalls(database: Database, asked: Reads["mcp_calls"]["args"]): { calls: McpCall[] } {
  const { server, status, limit } = asked;
  const rows = database.prepare<[object], CallRow>(
    `select server, tool, operation_ref, caller, status, error_code, confirmation, duration_us, at
     from mcp_calls
     where at >= @from and at < @to and server = ifnull(@server, server) and status = ifnull(@status, status)
     order by at desc, id desc limit @limit`,
  );
  const calls = rows.all({ ...spanOf(asked), server, status, limit });
  return {
    calls: calls.map(({ at, duration_us, ...call }) => ({
      ...call,
      duration_ms: ms(duration_us),
      at: iso(at),
    })),
  };
}
