import { everyRole } from "../../../vocabulary/accounts/role-names.ts";
import { fixedPaths, monitoringRoutes } from "../../../vocabulary/built-in-routes.ts";
import {
  callStatuses,
  maxBuckets,
  monitoringNumbers,
  runStatuses,
  statusClasses,
} from "../../../vocabulary/monitoring.ts";
import { type Part, reference } from "../../../vocabulary/openapi/document.ts";
import { type ErrorsByStatus, errorsOf, joinErrors } from "./error-responses.ts";
import { alertChecks, monitoringAnswers, monitoringSchemas } from "./monitoring-schemas.ts";
import { type OperationFacts, type OperationMaker, successResponse } from "./operation.ts";
import { pathsOfTable, type RouteGroup } from "./route-group.ts";
import { queryParameter } from "./shared-components.ts";

type MonitoringRow = (typeof monitoringRoutes)[number];

/** The dashboard is a page for operators. */
type DocumentedPath = Exclude<MonitoringRow["path"], "/dashboard">;

/** The facts of a route that its row does not have. */
interface MonitoringFacts extends Pick<OperationFacts, "operationId" | "summary" | "parameters" | "body"> {
  readonly answers: keyof typeof monitoringAnswers | "metrics";
  /** Needs no key. */
  readonly open?: boolean;
  readonly errors?: ErrorsByStatus;
}

function numberParameter(name: keyof typeof monitoringNumbers, description: string): Part {
  const { min, max, fallback, ...rest } = monitoringNumbers[name];
  const maximum = "capped" in rest ? {} : { maximum: max };
  return queryParameter(name, description, { type: "integer", minimum: min, ...maximum, default: fallback });
}

function statusParameter(statuses: readonly string[]): Part {
  return queryParameter("status", "Only entries with this status.", { enum: statuses });
}

const inWindow = [numberParameter("window_seconds", "Length of the time window, which ends now.")];
const inBuckets = [
  ...inWindow,
  numberParameter("bucket_seconds", `Length of a bucket. A window has at most ${maxBuckets} buckets.`),
];
const latest = numberParameter(
  "limit",
  `Number of entries, the newest first. Larger values count as ${monitoringNumbers.limit.max}.`,
);
const server = queryParameter("server", "Only calls of this server.", { type: "string", minLength: 1 });

/** A parameter in the path; without its id nothing is found. */
function byId(name: string): Pick<MonitoringFacts, "parameters" | "errors"> {
  const parameter = { name, in: "path", required: true, schema: { type: "string", minLength: 1 } };
  return { parameters: [parameter], errors: errorsOf("NOT_FOUND") };
}

const facts: Readonly<Record<DocumentedPath, MonitoringFacts>> = {
  "/ping": {
    operationId: "monitoringPing",
    summary: "Whether the process is up",
    answers: "up",
    open: true,
  },
  "/health": {
    operationId: "monitoringHealth",
    summary: "State of the store and the queues",
    answers: "health",
  },
  "/metrics": { operationId: "monitoringMetrics", summary: "Metrics as OpenMetrics", answers: "metrics" },
  "/summary": {
    operationId: "monitoringSummary",
    summary: "Figures of requests, compared with the window before",
    parameters: inWindow,
    answers: "summary",
  },
  "/trace/{request_id}": {
    operationId: "monitoringTrace",
    summary: "Steps, errors and log lines of a request",
    ...byId("request_id"),
    answers: "trace",
  },
  "/alerts/evaluate": {
    operationId: "monitoringAlertsEvaluate",
    summary: "Evaluate alert checks",
    body: alertChecks,
    answers: "alerts",
  },
  "/requests": {
    operationId: "monitoringRequests",
    summary: "Figures of requests by route",
    parameters: inWindow,
    answers: "routes",
  },
  "/requests/timeseries": {
    operationId: "monitoringRequestsTimeseries",
    summary: "Figures of requests over time",
    parameters: inBuckets,
    answers: "timeseries",
  },
  "/requests/latency-histogram": {
    operationId: "monitoringRequestsLatencyHistogram",
    summary: "Number of requests by duration",
    parameters: inWindow,
    answers: "histogram",
  },
  "/requests/recent": {
    operationId: "monitoringRequestsRecent",
    summary: "The latest requests",
    parameters: [latest, statusParameter(statusClasses)],
    answers: "recent",
  },
  "/ai/summary": {
    operationId: "monitoringAiSummary",
    summary: "Figures of AI runs",
    parameters: inWindow,
    answers: "aiSummary",
  },
  "/ai/cost-timeseries": {
    operationId: "monitoringAiCostTimeseries",
    summary: "Cost of AI runs over time",
    parameters: inBuckets,
    answers: "aiCosts",
  },
  "/ai/agents": {
    operationId: "monitoringAiAgents",
    summary: "Figures of AI runs by agent",
    parameters: inWindow,
    answers: "aiAgents",
  },
  "/ai/models": {
    operationId: "monitoringAiModels",
    summary: "Figures of AI runs by model",
    parameters: inWindow,
    answers: "aiModels",
  },
  "/ai/tools": {
    operationId: "monitoringAiTools",
    summary: "Figures of tool calls by tool",
    parameters: inWindow,
    answers: "aiTools",
  },
  "/ai/runs": {
    operationId: "monitoringAiRuns",
    summary: "The latest AI runs",
    parameters: [...inWindow, latest, statusParameter(runStatuses)],
    answers: "aiRuns",
  },
  "/ai/runs/{run_id}": {
    operationId: "monitoringAiRun",
    summary: "An AI run with its tool calls",
    ...byId("run_id"),
    answers: "aiRun",
  },
  "/mcp/summary": {
    operationId: "monitoringMcpSummary",
    summary: "Figures of MCP calls by server and tool",
    parameters: inWindow,
    answers: "mcpSummary",
  },
  "/mcp/calls": {
    operationId: "monitoringMcpCalls",
    summary: "The latest MCP calls",
    parameters: [...inWindow, latest, server, statusParameter(callStatuses)],
    answers: "mcpCalls",
  },
};

/** The routes of the monitoring module, except the dashboard. */
export function monitoringGroup(make: OperationMaker): RouteGroup {
  const tag = "monitoring";
  const operationOf = ({ answers, open = false, errors = {}, ...rest }: MonitoringFacts) =>
    make({
      ...rest,
      tag,
      credentials: open ? "none" : "ingestion",
      success: {
        200:
          answers === "metrics" ? metrics : successResponse(`${rest.summary}.`, monitoringAnswers[answers]),
      },
      errors: joinErrors(routeErrors, open ? {} : keyErrors, errors),
      app: false,
      access: [{ role: open ? everyRole : "ingestion_key" }],
      limit: null,
    });
  return {
    tag,
    description: "Figures, traces and alerts of the service, for servers with the ingestion key.",
    paths: pathsOfTable<MonitoringRow>(monitoringRoutes, fixedPaths.monitoring, ({ path }) =>
      path === "/dashboard" ? null : operationOf(facts[path]),
    ),
    schemas: monitoringSchemas,
  };
}

/** 400 for a URL that cannot be decoded, 422 for its parameters. */
const routeErrors = joinErrors(errorsOf("VALIDATION_ERROR"), { 422: ["VALIDATION_ERROR"] });
const keyErrors = errorsOf("MISSING_TOKEN", "INVALID_TOKEN");

const metrics: Part = {
  description: "OpenMetrics 1.0.",
  headers: { "X-Request-Id": reference("headers", "X-Request-Id") },
  content: { "application/openmetrics-text": { schema: { type: "string" } } },
};
