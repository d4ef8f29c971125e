import { expect, test } from "vitest";
import type { AiRunRecord, McpCallRecord } from "#runtime/monitoring/records/monitoring-records";
import { openStore } from "../../../support/monitoring-file.ts";
import { storePath } from "../../../support/monitoring-store.ts";

const now = Date.UTC(2026, 10, 20, 12, 34, 56, 789);

const run: AiRunRecord = {
  kind: "ai_run",
  runId: "run-1",
  at: now - 1_000,
  agent: "writer",
  model: "small",
  provider: "a provider",
  status: "failed",
  inputTokens: 10,
  outputTokens: 20,
  costUsd: 0.25,
  durationMs: 12.5,
  turns: 2,
  errorCode: "RATE",
  conversationId: null,
  userId: "0d9f1f3c-36a5-4c55-9b90-58a1ad7d1c11",
  toolCalls: [],
};
const call: McpCallRecord = {
  kind: "mcp_call",
  at: now - 1_000,
  server: "shop",
  tool: "books_fetch",
  operationRef: null,
  caller: null,
  status: "ok",
  errorCode: null,
  confirmation: null,
  durationMs: 3,
};

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

test("one run with its tool calls; recorded again it replaces both", () => {
  const { file, read } = openStore(storePath(), { retentionDays: 10_000 });
  const secret = `to someone@example.com with Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc ${"x".repeat(400)}`;
  const toolCall = { tool: "mail", durationMs: 2, status: "failed", errorMessage: secret } as const;
  const others = [
    { ...toolCall, errorMessage: null },
    { ...toolCall, status: "completed", errorMessage: "none" },
  ] as const;
  file.write({ records: [{ ...run, toolCalls: [toolCall, ...others] }], logs: [] });
  const { tool_calls } = read("ai_run", { runId: run.runId }) ?? {};
  const [message] = tool_calls?.map((one) => one.error_message) ?? [];
  expect(message).toHaveLength(300);
  expect(message).not.toMatch(/someone|eyJ/);
  expect(tool_calls?.[1]).toEqual({ tool: "mail", duration_ms: 2, status: "failed", error_message: null });
  expect(tool_calls?.[2]).toMatchObject({ status: "completed", error_message: null });

  const again = { ...run, status: "completed", toolCalls: [{ ...toolCall, tool: "search" }] } as const;
  file.write({ records: [again, { ...again, runId: "another" }], logs: [] });
  const details = read("ai_run", { runId: run.runId });
  expect(details?.run).toEqual(runOf(again));
  expect(details?.tool_calls.map(({ tool }) => tool)).toEqual(["search"]);
  expect(read("ai_tools", { now, windowSeconds: 2_000 }).tools.map(({ calls }) => calls)).toEqual([2]);
  expect(read("ai_run", { runId: "unknown" })).toBeNull();
  file.close();
});

test("names and ids that hold an address or a token are masked, and a run is found by what it was called", () => {
  const { file, read } = openStore(storePath(), { retentionDays: 10_000 });
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
