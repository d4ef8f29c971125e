import fc from "fast-check";
import pino from "pino";
import { describe, expect, test } from "vitest";
import type { AiRun, HookMonitoring, McpCall } from "#runtime/hooks/index";
import { failureRecord } from "#runtime/modules/monitoring/recording/failure-record";
import { hookMonitoring } from "#runtime/modules/monitoring/recording/hook-monitoring";
import type { MonitoringRecord } from "#runtime/modules/monitoring/records/monitoring-records";
import { BoundedQueue } from "#runtime/modules/monitoring/store/bounded-queue";

/** The module as hooks have it, its records, and its warnings. */
function recording() {
  const records = new BoundedQueue<MonitoringRecord>(100);
  const warnings: string[] = [];
  const log = pino({ level: "warn" }, { write: (line: string) => void warnings.push(JSON.parse(line).msg) });
  const monitoring = hookMonitoring(records, () => 1_000)(log);
  const recorded = () => records.take(100);
  return { monitoring, warnings, recorded };
}

/** What code without types may do. */
const untyped = ({
  aiRun,
  mcpCall,
}: HookMonitoring): Record<"aiRun" | "mcpCall", (given?: unknown) => void> => ({
  aiRun: (given) => Reflect.apply(aiRun, undefined, [given]),
  mcpCall: (given) => Reflect.apply(mcpCall, undefined, [given]),
});

// biome-ignore format: many a line
const run: AiRun = {
  agent: "moderator", model: "small-1", provider: "example", status: "completed", input_tokens: 10,
  output_tokens: 20, cost_usd: 0.5, duration_ms: 12.5, turns: 2,
};
const call: McpCall = { server: "shop", tool: "find", status: "ok", duration_ms: 3 };

describe("aiRun", () => {
  test("records the listed fields, and nothing else", () => {
    const { monitoring, warnings, recorded } = recording();
    monitoring.aiRun({ ...run, ...{ prompt: "secret" } });
    // biome-ignore format: many a line
    expect(recorded()).toEqual([
      {
        kind: "ai_run", runId: expect.stringMatching(/^[0-9a-f-]{36}$/), at: 1_000, agent: "moderator",
        model: "small-1", provider: "example", status: "completed", inputTokens: 10, outputTokens: 20,
        costUsd: 0.5, durationMs: 12.5, turns: 2, errorCode: null, conversationId: null, userId: null,
        toolCalls: [],
      },
    ]);
    expect(warnings).toEqual([]);
  });

  test("optional fields can be null", () => {
    const { monitoring, recorded } = recording();
    untyped(monitoring).aiRun({ ...run, run_id: "r", error_code: null, user_id: "7", tool_calls: null });
    expect(recorded()).toMatchObject([{ runId: "r", errorCode: null, userId: "7", toolCalls: [] }]);
  });

  test("the id of a user may be a number", () => {
    const { monitoring, recorded } = recording();
    monitoring.aiRun({ ...run, user_id: 7 });
    expect(recorded()).toMatchObject([{ userId: "7" }]);
  });

  test("a long error message of a tool is truncated without delay", () => {
    const { monitoring, recorded } = recording();
    const error_message = "x".repeat(1_000_000);
    monitoring.aiRun({
      ...run,
      tool_calls: [{ tool: "t", duration_ms: 1, status: "failed", error_message }],
    });
    const [record] = recorded();
    expect(JSON.stringify(record).length).toBeLessThan(10_000);
  });

  // biome-ignore format: one case a line
  test.each<[unknown, string]>([
    [undefined, "it must be an object"],
    [null, "it must be an object"],
    ["text", "it must be an object"],
    [[run], "it must be an object"],
    [{}, "agent is missing"],
    [{ ...run, agent: 5 }, "agent must be a string"],
    [{ ...run, agent: "" }, "agent must have 1 to 255 characters"],
    [{ ...run, model: "x".repeat(256) }, "model must have 1 to 255 characters"],
    [{ ...run, status: "ok" }, "status is not one of completed, failed, pending_approval"],
    [{ ...run, input_tokens: 1.5 }, "input_tokens must be a whole number"],
    [{ ...run, output_tokens: -1 }, "output_tokens must be a number of at least 0"],
    [{ ...run, output_tokens: 2 ** 60 }, "output_tokens must be a whole number"],
    [{ ...run, cost_usd: Number.NaN }, "cost_usd must be a number of at least 0"],
    [{ ...run, cost_usd: Number.POSITIVE_INFINITY }, "cost_usd must be a number of at least 0"],
    [{ ...run, cost_usd: "1" }, "cost_usd must be a number of at least 0"],
    [{ ...run, duration_ms: null }, "duration_ms is missing"],
    [{ ...run, turns: 1n }, "turns must be a number of at least 0"],
    [{ ...run, user_id: 7.5 }, "user_id must be a string"],
    [{ ...run, user_id: true }, "user_id must be a string"],
    [{ ...run, tool_calls: {} }, "tool_calls must be a list"],
    [{ ...run, tool_calls: Array(1_001) }, "tool_calls has more than 1000 entries"],
    [{ ...run, tool_calls: [undefined] }, "tool_calls[0] must be an object"],
    [{ ...run, tool_calls: [{ tool: "t", duration_ms: 1, status: "ok" }] }, "tool_calls[0].status is not one of completed, failed, pending_approval"],
  ])("malformed %#: %s", (given, reason) => {
    const { monitoring, warnings, recorded } = recording();
    untyped(monitoring).aiRun(given);
    expect(recorded()).toEqual([]);
    expect(warnings).toEqual([`an AI run was not recorded: ${reason}`]);
  });

  test("a key that cannot be read", () => {
    const { monitoring, warnings } = recording();
    const broken = Object.defineProperty({ ...run }, "agent", {
      get() {
        throw new Error("no");
      },
    });
    monitoring.aiRun(broken);
    expect(warnings).toEqual(["an AI run was not recorded: it cannot be read"]);
  });
});

describe("mcpCall", () => {
  test("records the listed fields", () => {
    const { monitoring, recorded } = recording();
    monitoring.mcpCall({ ...call, operation_ref: "books.fetch", caller: "7", confirmation: "accepted" });
    // biome-ignore format: many a line
    expect(recorded()).toEqual([
      {
        kind: "mcp_call", at: 1_000, server: "shop", tool: "find", operationRef: "books.fetch", caller: "7",
        status: "ok", errorCode: null, confirmation: "accepted", durationMs: 3,
      },
    ]);
  });

  test.each<[unknown, string]>([
    [undefined, "it must be an object"],
    [{ ...call, status: "completed" }, "status is not one of ok, error, asked"],
    [{ ...call, server: undefined }, "server is missing"],
    [{ ...call, caller: {} }, "caller must be a string"],
  ])("malformed %#: %s", (given, reason) => {
    const { monitoring, warnings, recorded } = recording();
    untyped(monitoring).mcpCall(given);
    expect(recorded()).toEqual([]);
    expect(warnings).toEqual([`an MCP call was not recorded: ${reason}`]);
  });
});

test("any input: nothing is thrown, and it is recorded or causes one warning", () => {
  const wild = fc.oneof(
    fc.anything({ withNullPrototype: true, withBigInt: true, withSparseArray: true, withDate: true }),
    fc.record(
      Object.fromEntries(
        Object.keys(run).map((key) => [key, fc.oneof(fc.anything(), fc.constant("completed"))]),
      ),
      { requiredKeys: [] },
    ),
  );
  fc.assert(
    fc.property(wild, (given) => {
      const { monitoring, warnings, recorded } = recording();
      const both = untyped(monitoring);
      expect([both.aiRun(given), both.mcpCall(given)]).toEqual([undefined, undefined]);
      expect(recorded().length + warnings.length).toBe(2);
    }),
  );
});

test("a full queue drops it, and counts it", () => {
  const records = new BoundedQueue<MonitoringRecord>(1);
  const monitoring = hookMonitoring(records)(pino({ enabled: false }));
  monitoring.aiRun(run);
  monitoring.mcpCall(call);
  expect([records.depth, records.dropped]).toEqual([1, 1]);
});

class Quiet extends Error {
  override readonly name = "Quiet";
}

test.each<[string, unknown, string]>([
  ["an error", new Error("one"), "one"],
  ["its cause", new Error("one", { cause: new Error("two", { cause: "three" }) }), "one: two: three"],
  ["one without a message", new Quiet(), "Quiet"],
  ["several at once", new AggregateError([new Error("a"), new Error("b")], "both"), "both: a: b"],
  ["several without a message", new AggregateError([new Error("a")]), "AggregateError: a"],
  ["a text", "no", "no"],
  ["an object", { password: "secret" }, "an object was thrown"],
  ["a symbol", Symbol("odd"), "Symbol(odd)"],
])("the message of %s", (_, thrown, message) => {
  expect(failureRecord(thrown).message).toBe(message);
});

test("errors that are causes of each other", () => {
  const one = new Error("one");
  const two = new Error("two", { cause: one });
  one.cause = two;
  expect(failureRecord(one).message).toBe("one: two");
});

test("an error that cannot be read", () => {
  const broken = new Error("one");
  const refuse = () => {
    throw new Error("no");
  };
  for (const key of ["stack", "cause", "message"]) Object.defineProperty(broken, key, { get: refuse });
  expect(failureRecord(broken)).toEqual({ message: "the thrown value cannot be read", stack: null });
});

test("a long one is bounded, and no half of a secret is left where it was cut", () => {
  const long = new Error(`${"x".repeat(2_040)} ann.of.the.long.name@example.org ${"y".repeat(100_000)}`);
  const { message, stack } = failureRecord(long);
  expect(message.length).toBeLessThanOrEqual(2_048);
  expect(stack?.length).toBeLessThanOrEqual(8_192);
  expect(message).not.toContain("ann");
});

test("any thrown value", () => {
  fc.assert(
    fc.property(fc.anything({ withNullPrototype: true, withBigInt: true }), (thrown) => {
      const { message, stack } = failureRecord(thrown);
      expect(typeof message).toBe("string");
      expect(stack).toBeNull();
    }),
  );
});

test("nothing of a token is left where a text is cut, however much of it is masked", () => {
  const token = `eyJhbGciOiJIUzI1NiJ9.${"cGF5bG9hZA".repeat(60)}.${"c2lnbmF0dXJl".repeat(4)}`;
  for (let shift = 0; shift < 700; shift += 50) {
    const { message } = failureRecord(new Error(`${"x".repeat(shift)} ${`${token} `.repeat(40)}`));
    expect(message).not.toContain("cGF5bG9hZA");
    expect(message).toContain("[masked]");
  }
});
