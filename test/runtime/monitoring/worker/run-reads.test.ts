import { describe, expect, test } from "vitest";
import type {
  AiRunRecord,
  McpCallRecord,
  MonitoringRecord,
} from "#runtime/monitoring/records/monitoring-records";
import { bucketBegins } from "../../../support/bucket-begins.ts";
import { openStore } from "../../../support/monitoring-file.ts";
import { storePath } from "../../../support/monitoring-store.ts";
import { seeded } from "../../../support/seeded.ts";

const now = Date.UTC(2026, 10, 20, 12, 34, 56, 789);
const random = seeded(3);
const pick = <T>(all: readonly T[]) => all[Math.floor(random() * all.length)] as T;
const someMs = () => Math.floor(random() * 1e7) / 1000;

const runs: AiRunRecord[] = Array.from({ length: 400 }, (_, index) => ({
  kind: "ai_run",
  runId: `run-${index}`,
  at: now - Math.floor(random() * 1000) * 1000,
  agent: pick(["writer", "reader", "clerk"]),
  model: pick(["small", "large"]),
  provider: "a provider",
  status: pick(["completed", "completed", "failed", "pending_approval"]),
  inputTokens: Math.floor(random() * 5000),
  outputTokens: Math.floor(random() * 5000),
  costUsd: Math.floor(random() * 1e6) / 1e6,
  durationMs: someMs(),
  turns: Math.floor(random() * 9),
  errorCode: index % 7 === 0 ? "RATE" : null,
  conversationId: index % 2 === 0 ? `conversation-${index}` : null,
  userId: index % 3 === 0 ? "0d9f1f3c-36a5-4c55-9b90-58a1ad7d1c11" : null,
  toolCalls: Array.from({ length: index % 4 }, () => ({
    tool: pick(["search", "mail"]),
    durationMs: someMs(),
    status: pick(["completed", "failed"]),
    errorMessage: null,
  })),
}));

const calls: McpCallRecord[] = Array.from({ length: 400 }, (_, index) => ({
  kind: "mcp_call",
  at: now - Math.floor(random() * 1000) * 1000,
  server: pick(["shop", "mail"]),
  tool: pick(["books_fetch", "books_create"]),
  operationRef: index % 2 === 0 ? "books.fetch" : null,
  caller: index % 3 === 0 ? "caller" : null,
  status: pick(["ok", "ok", "error", "asked"]),
  errorCode: null,
  confirmation: index % 5 === 0 ? "accepted" : null,
  durationMs: someMs(),
}));

const { file, read } = openStore(storePath(), { retentionDays: 10_000 });
const shuffled: MonitoringRecord[] = [...runs, ...calls];
for (let index = 0; index < shuffled.length; index += 90) {
  file.write({ records: shuffled.slice(index, index + 90), logs: [] });
}

const windows = [1, 5, 60, 333, 600, 1_200].map((windowSeconds) => ({ now, windowSeconds }));
const within = <One extends { readonly at: number }>(all: readonly One[], seconds: number) =>
  all.filter(({ at }) => at > now - seconds * 1000 && at <= now);
const sum = (all: readonly number[]) => all.reduce((total, one) => total + one, 0);
const close = (value: number) => expect.closeTo(value, 6);
const p95 = (all: readonly number[]) =>
  [...all].sort((a, b) => a - b)[Math.max(1, Math.ceil(0.95 * all.length)) - 1];
const failed = (all: readonly { readonly status: string }[]) =>
  all.filter(({ status }) => status === "failed").length;
const tokens = (all: readonly AiRunRecord[]) => sum(all.map((one) => one.inputTokens + one.outputTokens));
const newestFirst = <One extends { readonly at: number }>(all: readonly One[]) =>
  all.map((one, index) => ({ one, index })).sort((a, b) => b.one.at - a.one.at || b.index - a.index);

function groups<One>(all: readonly One[], nameOf: (one: One) => string): [string, One[]][] {
  const names = [...new Set(all.map(nameOf))];
  const byName = names.map((name): [string, One[]] => [name, all.filter((one) => nameOf(one) === name)]);
  return byName.sort(([a, ofA], [b, ofB]) => ofB.length - ofA.length || (a < b ? -1 : 1));
}

/** What runs by agent and by model, and calls by tool, say alike. */
function figures(all: readonly { readonly status: string; readonly durationMs: number }[]) {
  return {
    failed: failed(all),
    error_rate: close(failed(all) / all.length),
    avg_duration_ms: close(sum(all.map((one) => one.durationMs)) / all.length),
    p95_duration_ms: p95(all.map((one) => one.durationMs)),
  };
}

function runFigures(all: readonly AiRunRecord[]) {
  const cost = close(sum(all.map((one) => one.costUsd)));
  return { runs: all.length, ...figures(all), cost_usd: cost, total_tokens: tokens(all) };
}

function runOf(run: AiRunRecord) {
  return {
    run_id: run.runId,
    agent: run.agent,
    model: run.model,
    provider: run.provider,
    input_tokens: run.inputTokens,
    output_tokens: run.outputTokens,
    total_tokens: run.inputTokens + run.outputTokens,
    cost_usd: run.costUsd,
    duration_ms: run.durationMs,
    turns: run.turns,
    tool_calls: run.toolCalls.length,
    status: run.status,
    error_code: run.errorCode,
    conversation_id: run.conversationId,
    user_id: run.userId,
    at: new Date(run.at).toISOString(),
  };
}

describe.each(windows)("in $windowSeconds s", (window) => {
  const ours = within(runs, window.windowSeconds);

  test("all runs", () => {
    const costs = sum(ours.map((one) => one.costUsd));
    const times = ours.map((one) => one.durationMs);
    expect(read("ai_summary", window)).toEqual({
      window_seconds: window.windowSeconds,
      runs: ours.length,
      completed: ours.filter(({ status }) => status === "completed").length,
      failed: failed(ours),
      pending_approval: ours.filter(({ status }) => status === "pending_approval").length,
      error_rate: close(ours.length === 0 ? 0 : failed(ours) / ours.length),
      cost_usd: close(costs),
      avg_cost_usd: ours.length === 0 ? null : close(costs / ours.length),
      input_tokens: sum(ours.map((one) => one.inputTokens)),
      output_tokens: sum(ours.map((one) => one.outputTokens)),
      total_tokens: tokens(ours),
      avg_duration_ms: ours.length === 0 ? null : close(sum(times) / ours.length),
      p95_duration_ms: p95(times) ?? null,
    });
  });

  test("by agent, model and tool", () => {
    const agents = groups(ours, (run) => run.agent).map(([agent, all]) => ({ agent, ...runFigures(all) }));
    expect(read("ai_agents", window)).toEqual({ agents });
    const models = groups(ours, (run) => run.model).map(([model, all]) => ({ model, ...runFigures(all) }));
    expect(read("ai_models", window)).toEqual({ models });
    const toolCalls = ours.flatMap((run) => run.toolCalls);
    const tools = groups(toolCalls, (call) => call.tool).map(([tool, all]) => ({
      tool,
      calls: all.length,
      ...figures(all),
    }));
    expect(read("ai_tools", window)).toEqual({ tools });
  });

  test("costs over time", () => {
    const bucketSeconds = 45;
    const buckets = bucketBegins(now, window.windowSeconds, bucketSeconds).map((from) => {
      const inside = runs.filter(({ at }) => at >= from && at < from + bucketSeconds * 1000 && at <= now);
      const cost = close(sum(inside.map((one) => one.costUsd)));
      return { at: new Date(from).toISOString(), cost_usd: cost, runs: inside.length };
    });
    expect(read("ai_costs", { ...window, bucketSeconds })).toEqual({
      bucket_seconds: bucketSeconds,
      buckets,
    });
  });

  test("recent runs, of all and of one status", () => {
    for (const status of [null, "failed", "pending_approval"] as const) {
      const meant = newestFirst(ours).filter(({ one }) => status === null || one.status === status);
      const expected = meant.slice(0, 20).map(({ one }) => runOf(one));
      expect(read("ai_runs", { ...window, status, limit: 20 })).toEqual({ runs: expected });
    }
  });

  test("MCP by tool", () => {
    const inside = within(calls, window.windowSeconds);
    const tools = groups(inside, ({ server, tool }) => `${server} ${tool}`).map(([, all]) => ({
      server: all[0]?.server,
      tool: all[0]?.tool,
      calls: all.length,
      errors: all.filter(({ status }) => status === "error").length,
      asked: all.filter(({ status }) => status === "asked").length,
      avg_duration_ms: close(sum(all.map((one) => one.durationMs)) / all.length),
      p95_duration_ms: p95(all.map((one) => one.durationMs)),
    }));
    expect(read("mcp_summary", window)).toEqual({ window_seconds: window.windowSeconds, tools });
  });

  test("recent MCP calls, by server and status", () => {
    const filters = [
      { server: null, status: null },
      { server: "shop", status: null },
      { server: "mail", status: "asked" },
    ] as const;
    for (const { server, status } of filters) {
      const meant = newestFirst(within(calls, window.windowSeconds))
        .map(({ one }) => one)
        .filter(
          (one) => (server === null || one.server === server) && (status === null || one.status === status),
        );
      const expected = meant.slice(0, 200).map((call) => ({
        server: call.server,
        tool: call.tool,
        operation_ref: call.operationRef,
        caller: call.caller,
        status: call.status,
        error_code: call.errorCode,
        confirmation: call.confirmation,
        duration_ms: call.durationMs,
        at: new Date(call.at).toISOString(),
      }));
      expect(read("mcp_calls", { ...window, server, status, limit: 200 })).toEqual({ calls: expected });
    }
  });

  test("alerts", () => {
    const seconds = window.windowSeconds;
    const check = (metric: "ai_cost_rate" | "ai_error_rate" | "ai_token_rate", value: number) =>
      ({ id: metric, metric, op: "gt", value, windowSeconds: seconds, routes: null }) as const;
    const checks = [
      check("ai_cost_rate", -1),
      check("ai_error_rate", 2),
      check("ai_token_rate", -1),
      { id: 4, metric: "health" } as const,
    ];
    const count = ours.length;
    const cost = close(sum(ours.map((one) => one.costUsd)) / seconds);
    const rate = close(count === 0 ? 0 : failed(ours) / count);
    expect(read("alerts", { now, checks })).toEqual({
      results: [
        { id: "ai_cost_rate", breaching: true, value: cost, sample_count: count },
        { id: "ai_error_rate", breaching: false, value: rate, sample_count: count },
        { id: "ai_token_rate", breaching: true, value: close(tokens(ours) / seconds), sample_count: count },
        { id: 4, breaching: false, value: 1, sample_count: 0 },
      ],
    });
  });
});

test("one run with its tool calls; recorded again it replaces both", () => {
  const [first] = runs;
  if (first === undefined) throw new Error("no runs");
  const { file, read } = openStore(storePath(), { retentionDays: 10_000 });
  const secret = `to someone@example.com with Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc ${"x".repeat(400)}`;
  const call = { tool: "mail", durationMs: 2, status: "failed", errorMessage: secret } as const;
  const others = [
    { ...call, errorMessage: null },
    { ...call, status: "completed", errorMessage: "none" },
  ] as const;
  file.write({ records: [{ ...first, toolCalls: [call, ...others] }], logs: [] });
  const { tool_calls } = read("ai_run", { runId: first.runId }) ?? {};
  const [message] = tool_calls?.map((one) => one.error_message) ?? [];
  expect(message).toHaveLength(300);
  expect(message).not.toMatch(/someone|eyJ/);
  expect(tool_calls?.[1]).toEqual({ tool: "mail", duration_ms: 2, status: "failed", error_message: null });
  expect(tool_calls?.[2]).toMatchObject({ status: "completed", error_message: null });

  const again = { ...first, status: "completed", toolCalls: [{ ...call, tool: "search" }] } as const;
  file.write({ records: [again, { ...again, runId: "another" }], logs: [] });
  const details = read("ai_run", { runId: first.runId });
  expect(details?.run).toEqual(runOf(again));
  expect(details?.tool_calls.map(({ tool }) => tool)).toEqual(["search"]);
  expect(read("ai_tools", { now, windowSeconds: 2_000 }).tools.map(({ calls }) => calls)).toEqual([2]);
  expect(read("ai_run", { runId: "unknown" })).toBeNull();
  file.close();
});

test("names and ids that hold an address or a token are masked, and a run is found by what it was called", () => {
  const { file, read } = openStore(storePath(), { retentionDays: 10_000 });
  const [run, call] = [runs[0], calls[0]];
  if (run === undefined || call === undefined) throw new Error("there are some");
  const token = `kk_${"0af9".repeat(16)}`;
  const own = {
    runId: token,
    agent: "for ann@example.org",
    model: "opus@20260801",
    errorCode: "password=x",
    userId: "ann@example.org",
  };
  const tool = { tool: "mail ann@example.org", durationMs: 1, status: "failed" as const, errorMessage: null };
  file.write({
    records: [
      { ...run, ...own, conversationId: "secret=x", toolCalls: [tool] },
      { ...call, caller: "ann@example.org", operationRef: `x ${token}`, confirmation: "Bearer abc" },
    ],
    logs: [],
  });
  const found = read("ai_run", { runId: token });
  expect(found?.run).toMatchObject({
    run_id: "[masked]",
    agent: "for [masked]",
    model: "opus@20260801",
    error_code: "password=[masked]",
    user_id: "[masked]",
    conversation_id: "secret=[masked]",
  });
  expect(found?.tool_calls).toMatchObject([{ tool: "mail [masked]" }]);
  const asked = { now, windowSeconds: 3_600, server: null, status: null, limit: 1 };
  expect(read("mcp_calls", asked).calls).toMatchObject([
    { caller: "[masked]", operation_ref: "x [masked]", confirmation: "Bearer [masked]" },
  ]);
  file.close();
});

test("a store without runs answers with nothing, and no run is no failure", () => {
  const { file, read } = openStore(storePath());
  const window = { now, windowSeconds: 60 };
  expect(read("ai_summary", window)).toMatchObject({
    runs: 0,
    error_rate: 0,
    cost_usd: 0,
    avg_cost_usd: null,
  });
  expect(read("ai_agents", window)).toEqual({ agents: [] });
  expect(read("mcp_summary", window)).toEqual({ window_seconds: 60, tools: [] });
  file.close();
});
