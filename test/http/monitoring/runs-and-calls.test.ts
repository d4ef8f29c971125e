import { beforeAll, expect, test } from "vitest";
import type { AiRun, McpCall } from "#runtime/hooks/index";
import type { Json } from "#vocabulary/json";
import { testClock } from "../../support/clock.ts";
import { bucketBegins } from "../../support/expected-figures.ts";
import { monitoredService } from "../../support/monitoring.ts";
import { expectEnvelope, outcome } from "../../support/scenarios.ts";
import { seeded } from "../../support/seeded.ts";
import { stage } from "../fixture/stage.ts";

const clock = testClock();
const service = await monitoredService({}, {}, { now: clock.now });
const random = seeded(11);
const pick = <const Value>(...values: readonly [Value, ...Value[]]): Value =>
  values[Math.floor(random() * values.length)] ?? values[0];

interface Timed<Value> {
  readonly at: number;
  readonly value: Value;
}

const runs: Timed<AiRun & { readonly run_id: string }>[] = [];
const calls: Timed<McpCall>[] = [];
const windowSeconds = 900;

function randomRun(index: number): AiRun & { readonly run_id: string } {
  const status = pick("completed", "completed", "failed", "pending_approval");
  const tools = Array.from({ length: Math.floor(random() * 3) }, () => ({
    tool: pick("search", "mail"),
    duration_ms: Math.round(random() * 1e5) / 100,
    status: pick("completed", "failed"),
  }));
  return {
    run_id: `run-${index}`,
    agent: pick("clerk", "critic"),
    model: pick("small", "large", "large"),
    provider: "house",
    status,
    input_tokens: Math.floor(random() * 5000),
    output_tokens: Math.floor(random() * 500),
    cost_usd: Math.round(random() * 1e4) / 1e4,
    duration_ms: Math.round(random() * 1e6) / 100,
    turns: 1 + Math.floor(random() * 4),
    ...(status === "failed" && { error_code: "OVERLOADED" }),
    ...(index % 2 === 0 && { conversation_id: `talk-${index % 5}`, user_id: "7" }),
    ...(tools.length > 0 && {
      tool_calls: tools.map((tool) =>
        tool.status === "failed"
          ? { ...tool, error_message: `no answer for ann@example.org ${"x".repeat(400)}` }
          : tool,
      ),
    }),
  };
}

function randomCall(): McpCall {
  const status = pick("ok", "ok", "error", "asked");
  return {
    server: pick("shop", "desk"),
    tool: pick("books_fetch", "books_delete"),
    status,
    duration_ms: Math.round(random() * 1e5) / 100,
    ...(status === "error" && { error_code: "NOT_FOUND", caller: "7" }),
    ...(status === "asked" && { confirmation: "accepted", operation_ref: "books.delete" }),
  };
}

beforeAll(async () => {
  await service.store({});
  for (let index = 0; index < 60; index++) {
    clock.pass(1 + Math.floor(random() * 30));
    const at = clock.now();
    const [run, call] = [randomRun(index), randomCall()];
    runs.push({ at, value: run });
    calls.push({ at, value: call });
    stage.hooks = {
      before_fetch: (_, { monitoring }) => {
        monitoring.aiRun(run);
        monitoring.mcpCall(call);
      },
    };
    expect((await service.send({ method: "GET", path: "/hooked/fetch" }, "admin")).status).toBe(200);
  }
  stage.hooks = {};
  await service.written(60);
  clock.pass(0.5);
});

const within = <Value>(list: readonly Timed<Value>[]): readonly Value[] =>
  list.filter(({ at }) => at > clock.now() - windowSeconds * 1000).map(({ value }) => value);
const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);
const durations = (list: readonly { readonly duration_ms: number }[]) => {
  const sorted = list.map((one) => one.duration_ms).sort((a, b) => a - b);
  return {
    avg_duration_ms: about(sum(sorted) / sorted.length),
    p95_duration_ms: sorted[Math.ceil(0.95 * sorted.length) - 1] ?? null,
  };
};
const about = (value: number) => expect.closeTo(value, 4);
const tokens = ({ input_tokens: input, output_tokens: output }: AiRun) => input + output;
const failedOf = (list: readonly { readonly status: string }[]) =>
  list.filter(({ status }) => status === "failed").length;

/** Groups by a name, the largest first. */
function grouped<Value>(list: readonly Value[], nameOf: (one: Value) => string): [string, Value[]][] {
  const names = [...new Set(list.map(nameOf))].sort();
  return names
    .map((name): [string, Value[]] => [name, list.filter((one) => nameOf(one) === name)])
    .sort(([, one], [, other]) => other.length - one.length);
}

async function dataOf(path: string): Promise<Json> {
  const reply = await service.ask(`GET ${path}`);
  expectEnvelope(reply);
  expect(reply.status, reply.text).toBe(200);
  return reply.envelope.data;
}

const inWindow = (path: string) => dataOf(`${path}?window_seconds=${windowSeconds}`);

test("ai/summary", async () => {
  const list = within(runs);
  const cost = sum(list.map(({ cost_usd }) => cost_usd));
  const [input, output] = [
    sum(list.map((one) => one.input_tokens)),
    sum(list.map((one) => one.output_tokens)),
  ];
  expect(list.length).toBeGreaterThan(20);
  expect(await inWindow("/ai/summary")).toEqual({
    window_seconds: windowSeconds,
    runs: list.length,
    completed: list.filter(({ status }) => status === "completed").length,
    failed: failedOf(list),
    pending_approval: list.filter(({ status }) => status === "pending_approval").length,
    error_rate: about(failedOf(list) / list.length),
    cost_usd: about(cost),
    avg_cost_usd: about(cost / list.length),
    input_tokens: input,
    output_tokens: output,
    total_tokens: input + output,
    ...durations(list),
  });
});

test.each(["agent", "model"] as const)("ai/%ss", async (name) => {
  const rows = grouped(within(runs), (run) => run[name]).map(([value, list]) => ({
    [name]: value,
    runs: list.length,
    failed: failedOf(list),
    error_rate: about(failedOf(list) / list.length),
    cost_usd: about(sum(list.map(({ cost_usd }) => cost_usd))),
    total_tokens: sum(list.map(tokens)),
    ...durations(list),
  }));
  expect(await inWindow(`/ai/${name}s`)).toEqual({ [`${name}s`]: rows });
});

test("ai/tools", async () => {
  const used = within(runs).flatMap(({ tool_calls = [] }) => tool_calls);
  const rows = grouped(used, ({ tool }) => tool).map(([tool, list]) => ({
    tool,
    calls: list.length,
    failed: failedOf(list),
    error_rate: about(failedOf(list) / list.length),
    ...durations(list),
  }));
  expect(rows).toHaveLength(2);
  expect(await inWindow("/ai/tools")).toEqual({ tools: rows });
});

test("ai/cost-timeseries", async () => {
  const bucket = 120;
  const begins = bucketBegins(clock.now(), windowSeconds, bucket);
  expect(
    await dataOf(`/ai/cost-timeseries?window_seconds=${windowSeconds}&bucket_seconds=${bucket}`),
  ).toEqual({
    bucket_seconds: bucket,
    buckets: begins.map((begin) => {
      const list = runs.filter(({ at }) => at >= begin && at < begin + bucket * 1000);
      return {
        at: new Date(begin).toISOString(),
        cost_usd: about(sum(list.map(({ value }) => value.cost_usd))),
        runs: list.length,
      };
    }),
  });
});

function shownRun({ at, value: run }: Timed<AiRun>) {
  const { tool_calls = [], error_code = null, conversation_id = null, user_id = null, ...rest } = run;
  return {
    ...rest,
    total_tokens: tokens(run),
    tool_calls: tool_calls.length,
    error_code,
    conversation_id,
    user_id,
    at: new Date(at).toISOString(),
  };
}

test.each([
  ["", 50],
  ["&limit=4", 4],
  ["&status=failed", 50],
  ["&status=completed&limit=2", 2],
] as const)("ai/runs, newest first%s", async (query, limit) => {
  const status = /status=(\w+)/.exec(query)?.[1];
  const list = runs.filter(
    ({ at, value }) => at > clock.now() - windowSeconds * 1000 && (status ?? value.status) === value.status,
  );
  expect(await dataOf(`/ai/runs?window_seconds=${windowSeconds}${query}`)).toEqual({
    runs: list.reverse().slice(0, limit).map(shownRun),
  });
});

test("ai/runs/{run_id} ignores the window", async () => {
  for (const run of runs) {
    const data = await dataOf(`/ai/runs/${run.value.run_id}`);
    expect(data).toEqual({
      run: shownRun(run),
      tool_calls: (run.value.tool_calls ?? []).map(({ error_message, ...call }) => ({
        ...call,
        error_message:
          error_message === undefined ? null : expect.stringMatching(/^no answer for (?!ann).{1,286}$/),
      })),
    });
  }
  expect(outcome(await service.ask("GET /ai/runs/unknown"))).toBe("404 NOT_FOUND");
});

test("mcp/summary", async () => {
  const rows = grouped(within(calls), ({ server, tool }) => `${server} ${tool}`).map(([, list]) => ({
    server: list[0]?.server,
    tool: list[0]?.tool,
    calls: list.length,
    errors: list.filter(({ status }) => status === "error").length,
    asked: list.filter(({ status }) => status === "asked").length,
    ...durations(list),
  }));
  expect(await inWindow("/mcp/summary")).toEqual({ window_seconds: windowSeconds, tools: rows });
});

test.each(["", "&server=shop", "&server=shop&status=asked&limit=1", "&status=error", "&server=unknown"])(
  "mcp/calls, newest first%s",
  async (query) => {
    const sent = new URLSearchParams(query);
    const list = calls.filter(
      ({ at, value: { server, status } }) =>
        at > clock.now() - windowSeconds * 1000 &&
        (sent.get("server") ?? server) === server &&
        (sent.get("status") ?? status) === status,
    );
    expect(await dataOf(`/mcp/calls?window_seconds=${windowSeconds}${query}`)).toEqual({
      calls: list
        .reverse()
        .slice(0, Number(sent.get("limit") ?? 50))
        .map(({ at, value }) => ({
          operation_ref: null,
          caller: null,
          error_code: null,
          confirmation: null,
          ...value,
          at: new Date(at).toISOString(),
        })),
    });
  },
);

test("alerts on runs", async () => {
  const list = within(runs);
  const values = {
    ai_cost_rate: sum(list.map(({ cost_usd }) => cost_usd)) / windowSeconds,
    ai_error_rate: failedOf(list) / list.length,
    ai_token_rate: sum(list.map(tokens)) / windowSeconds,
  };
  const checks = Object.entries(values).map(([metric, value]) => ({
    id: metric,
    metric,
    op: "gt",
    value: value * 0.999,
    window_seconds: windowSeconds,
  }));
  const { envelope } = await service.ask("POST /alerts/evaluate", { body: { checks } });
  expect(envelope.data).toEqual({
    results: Object.entries(values).map(([id, value]) => ({
      id,
      breaching: true,
      value: about(value),
      sample_count: list.length,
    })),
  });
});

test("a store without runs answers with nothing; a run that is recorded again replaces its run and tool calls, and is found by its id", async () => {
  const other = await monitoredService({}, {}, { now: clock.now });
  const data = async (path: string) => (await other.ask(`GET ${path}`)).envelope.data;
  expect(await data("/ai/summary")).toMatchObject({
    runs: 0,
    error_rate: 0,
    cost_usd: 0,
    avg_cost_usd: null,
  });
  expect([await data("/ai/agents"), await data("/mcp/summary")]).toEqual([
    { agents: [] },
    { window_seconds: 3_600, tools: [] },
  ]);
  const token = `kk_${"0af9".repeat(16)}`;
  const tool = {
    tool: "mail ann@example.org",
    duration_ms: 2,
    status: "failed",
    error_message: `Bearer ${token} ${"x".repeat(400)}`,
  } as const;
  const own = {
    run_id: token,
    agent: "for ann@example.org",
    model: "opus@20260801",
    error_code: "password=x",
    user_id: "ann@example.org",
    conversation_id: "secret=x",
  };
  const run = { ...randomRun(1), ...own, status: "failed" } as const;
  const others = [
    { ...tool, error_message: undefined },
    { ...tool, status: "completed", error_message: "none" },
  ] as const;
  const record = async (...given: readonly AiRun[]) => {
    stage.hooks = { before_fetch: (_, { monitoring }) => given.forEach((one) => void monitoring.aiRun(one)) };
    await other.send({ method: "GET", path: "/hooked/fetch" }, "admin");
    stage.hooks = {};
  };
  await record({
    ...run,
    tool_calls: [
      tool,
      ...others.map(({ error_message, ...call }) => ({
        ...call,
        ...(error_message !== undefined && { error_message }),
      })),
    ],
  });
  await other.written(1);
  const masked = {
    run_id: "[masked]",
    agent: "for [masked]",
    model: "opus@20260801",
    error_code: "password=[masked]",
    user_id: "[masked]",
  };
  const call = { tool: "mail [masked]", duration_ms: 2, status: "failed", error_message: null };
  // biome-ignore format: related values together
  expect(await data(`/ai/runs/${token}`)).toMatchObject({
    run: { ...masked, conversation_id: "secret=[masked]" },
    tool_calls: [{ ...call, error_message: expect.stringMatching(/^Bearer \[masked\] x{284}$/) }, call, { ...call, status: "completed" }],
  });
  await record(
    { ...run, status: "completed", tool_calls: [{ ...tool, tool: "search" }] },
    { ...run, run_id: "another", tool_calls: [] },
  );
  await other.written(2);
  expect(await data(`/ai/runs/${token}`)).toMatchObject({
    run: { status: "completed", tool_calls: 1 },
    tool_calls: [{ tool: "search" }],
  });
  expect(await data("/ai/tools")).toMatchObject({ tools: [{ tool: "search", calls: 1 }] });
  expect(await data("/ai/summary")).toMatchObject({ runs: 2 });
});
