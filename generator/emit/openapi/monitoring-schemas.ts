import {
  aiMetrics,
  callStatuses,
  httpMetrics,
  maxAlertChecks,
  monitoringNumbers,
  runStatuses,
} from "../../../vocabulary/monitoring.ts";
import {
  type DocumentSchema,
  type Entries,
  type Part,
  reference,
} from "../../../vocabulary/openapi/document.ts";
import { list, object } from "./operation.ts";
import { answer, whole } from "./shared-components.ts";

const text = { type: "string" };
const textOrNull = { type: ["string", "null"] };
const moment = { type: "string", format: "date-time" };
/** A rate, a cost, or milliseconds. */
const amount = { type: "number", minimum: 0 };
const amountOrNull = { type: ["number", "null"], minimum: 0 };
const share = { type: "number", minimum: 0, maximum: 1 };
const difference = { type: "number" };
const errors = { errors_4xx: whole, errors_5xx: whole };
const durations = { avg_duration_ms: amount, p95_duration_ms: amount };
const runStatus = { enum: runStatuses };

/** Figures and records that several answers have. */
export const monitoringSchemas = {
  RequestFigures: answer({
    requests: whole,
    request_rate: amount,
    ...errors,
    error_rate_4xx: share,
    error_rate_5xx: share,
    duration_ms: answer({
      avg: amountOrNull,
      p50: amountOrNull,
      p95: amountOrNull,
      p99: amountOrNull,
      max: amountOrNull,
    }),
  }),
  RecordedRequest: answer({
    request_id: text,
    method: text,
    route: text,
    status: { type: "integer" },
    duration_ms: amount,
    at: moment,
    user_id: textOrNull,
    role: textOrNull,
    error: textOrNull,
  }),
  RunFigures: answer({
    runs: whole,
    failed: whole,
    error_rate: share,
    cost_usd: amount,
    total_tokens: whole,
    ...durations,
  }),
  RecordedRun: answer({
    run_id: text,
    agent: text,
    model: text,
    provider: text,
    input_tokens: whole,
    output_tokens: whole,
    total_tokens: whole,
    cost_usd: amount,
    duration_ms: amount,
    turns: whole,
    tool_calls: whole,
    status: runStatus,
    error_code: textOrNull,
    conversation_id: textOrNull,
    user_id: textOrNull,
    at: moment,
  }),
} satisfies Entries<DocumentSchema>;

/** A shared schema with more properties. */
function extended(name: keyof typeof monitoringSchemas, properties: Part): Part {
  return { allOf: [reference("schemas", name)], ...answer(properties) };
}

const queue = answer({ depth: whole, max: whole, dropped: whole });

function buckets(figures: Part): Part {
  return answer({ bucket_seconds: whole, buckets: list(answer({ at: moment, ...figures })) });
}

/** The `data` of answers by name. */
export const monitoringAnswers = {
  up: answer({ status: { const: "ok" } }),
  health: answer({
    store: { enum: ["ok", "unreachable"] },
    queues: answer({ records: queue, logs: queue }),
    db_size_bytes: { type: ["integer", "null"], minimum: 0 },
    max_db_size_mb: whole,
    version: textOrNull,
    node_version: text,
    started_at: moment,
    uptime_seconds: { type: "integer" },
  }),
  summary: extended("RequestFigures", {
    window_seconds: whole,
    previous: reference("schemas", "RequestFigures"),
    delta: answer({
      requests: { type: "integer" },
      request_rate: difference,
      error_rate_4xx: difference,
      error_rate_5xx: difference,
      p95: { type: ["number", "null"] },
    }),
  }),
  routes: answer({
    routes: list(
      answer({
        method: text,
        route: text,
        model: textOrNull,
        operation: textOrNull,
        requests: whole,
        ...errors,
        avg_ms: amount,
        p50_ms: amount,
        p95_ms: amount,
        p99_ms: amount,
        max_ms: amount,
        last_at: moment,
      }),
    ),
  }),
  timeseries: buckets({ requests: whole, ...errors, avg_ms: amountOrNull, p95_ms: amountOrNull }),
  histogram: answer({ edges_ms: list(whole), counts: list(whole), total: whole }),
  recent: answer({ requests: list(reference("schemas", "RecordedRequest")) }),
  trace: answer({
    request: extended("RecordedRequest", { model: textOrNull, operation: textOrNull, bytes: whole }),
    steps: list(answer({ name: text, at_ms: amount, duration_ms: amount })),
    errors: list(answer({ code: text, message: text, stack: text }, ["stack"])),
    logs: list(answer({ at: moment, level: text, message: text, fields: { type: "object" } })),
  }),
  alerts: answer({
    results: list(
      answer({
        id: { type: ["string", "number"] },
        breaching: { type: "boolean" },
        value: amountOrNull,
        sample_count: whole,
      }),
    ),
  }),
  aiSummary: answer({
    window_seconds: whole,
    runs: whole,
    completed: whole,
    failed: whole,
    pending_approval: whole,
    error_rate: share,
    cost_usd: amount,
    avg_cost_usd: amountOrNull,
    input_tokens: whole,
    output_tokens: whole,
    total_tokens: whole,
    avg_duration_ms: amountOrNull,
    p95_duration_ms: amountOrNull,
  }),
  aiCosts: buckets({ cost_usd: amount, runs: whole }),
  aiAgents: answer({ agents: list(extended("RunFigures", { agent: text })) }),
  aiModels: answer({ models: list(extended("RunFigures", { model: text })) }),
  aiTools: answer({
    tools: list(answer({ tool: text, calls: whole, failed: whole, error_rate: share, ...durations })),
  }),
  aiRuns: answer({ runs: list(reference("schemas", "RecordedRun")) }),
  aiRun: answer({
    run: reference("schemas", "RecordedRun"),
    tool_calls: list(
      answer({ tool: text, duration_ms: amount, status: runStatus, error_message: textOrNull }),
    ),
  }),
  mcpSummary: answer({
    window_seconds: whole,
    tools: list(
      answer({ server: text, tool: text, calls: whole, errors: whole, asked: whole, ...durations }),
    ),
  }),
  mcpCalls: answer({
    calls: list(
      answer({
        server: text,
        tool: text,
        operation_ref: textOrNull,
        caller: textOrNull,
        status: { enum: callStatuses },
        error_code: textOrNull,
        confirmation: textOrNull,
        duration_ms: amount,
        at: moment,
      }),
    ),
  }),
} satisfies Entries<Part>;

const { min, max } = monitoringNumbers.window_seconds;
const threshold = {
  op: { enum: ["gt", "lt"] },
  value: { type: "number" },
  window_seconds: { type: "integer", minimum: min, maximum: max },
};
const checkId = { id: { type: ["string", "number"] } };
const routes = {
  ...list(text),
  minItems: 1,
  description: "Model keys and patterns of routes. Default: all.",
};

/** The body of an evaluation of alert checks. */
export const alertChecks = object({
  checks: {
    ...list({
      anyOf: [
        object({ ...checkId, metric: { enum: httpMetrics }, ...threshold, routes }, ["routes"]),
        object({ ...checkId, metric: { enum: aiMetrics }, ...threshold }),
        object({ ...checkId, metric: { const: "health" } }),
      ],
    }),
    minItems: 1,
    maxItems: maxAlertChecks,
  },
});
