import { monitoringRoutes as listed } from "../../../../vocabulary/built-in-routes.ts";
import { sendAnswer } from "../../../core/http/index.ts";
import { callStatuses, runStatuses } from "../records/monitoring-records.ts";
import { evaluateAlerts } from "./alert-checks.ts";
import type { MonitoringRoute, PlacedRoute } from "./monitoring-router.ts";
import { anyText, oneOf, timeWindow, wholeNumber } from "./parameters.ts";
import {
  answersBuckets,
  answersRead,
  answersWindow,
  metricsExport,
  storeHealth,
  valuesOf,
} from "./store-answers.ts";

/** Page size; larger values are capped. */
const page = { limit: wholeNumber({ min: 1, max: 200, fallback: 50, capped: true }) };
const recentPage = { ...page, status: oneOf("2xx", "3xx", "4xx", "5xx") };
const runsPage = { ...timeWindow, ...page, status: oneOf(...runStatuses) };
const callsPage = { ...timeWindow, ...page, server: anyText, status: oneOf(...callStatuses) };

/** `GET /monitoring/ping`: the process is up. Needs no key. */
const ping: MonitoringRoute = {
  open: true,
  async run(call) {
    valuesOf({}, call);
    sendAnswer(call.response, { message: "up", data: '{"status":"ok"}' });
  },
};

/** The dashboard serves itself. */
type Path = Exclude<(typeof listed)[number]["path"], "/dashboard">;

/** Message, store read and parameters of each route (docs/monitoring.md#routes). */
const routes: Readonly<Record<Path, MonitoringRoute>> = {
  "/ping": ping,
  "/health": storeHealth,
  "/metrics": metricsExport,
  "/summary": answersWindow("summary", "summary"),
  "/trace/{request_id}": answersRead("trace", "trace", {}, (_, { named: requestId }) => ({ requestId })),
  "/alerts/evaluate": evaluateAlerts,
  "/requests": answersWindow("requests by route", "routes"),
  "/requests/timeseries": answersBuckets("requests over time", "timeseries"),
  "/requests/latency-histogram": answersWindow("requests by latency", "histogram"),
  "/requests/recent": answersRead("recent requests", "recent", recentPage, (values, { now }) => ({
    ...values,
    now,
  })),
  "/ai/summary": answersWindow("summary of AI runs", "ai_summary"),
  "/ai/cost-timeseries": answersBuckets("cost of AI runs over time", "ai_costs"),
  "/ai/agents": answersWindow("AI runs by agent", "ai_agents"),
  "/ai/models": answersWindow("AI runs by model", "ai_models"),
  "/ai/tools": answersWindow("calls of tools by tool", "ai_tools"),
  "/ai/runs": answersRead(
    "recent AI runs",
    "ai_runs",
    runsPage,
    ({ window_seconds: windowSeconds, ...values }, { now }) => ({ ...values, now, windowSeconds }),
  ),
  "/ai/runs/{run_id}": answersRead("AI run", "ai_run", {}, (_, { named: runId }) => ({ runId })),
  "/mcp/summary": answersWindow("MCP calls by server and tool", "mcp_summary"),
  "/mcp/calls": answersRead(
    "recent MCP calls",
    "mcp_calls",
    callsPage,
    ({ window_seconds: windowSeconds, ...values }, { now }) => ({ ...values, now, windowSeconds }),
  ),
};

/** Routes of the monitoring module, below `/monitoring` (docs/monitoring.md#routes). */
export const monitoringRoutes: readonly PlacedRoute[] = listed.flatMap(({ method, path }) =>
  path === "/dashboard" ? [] : [{ method, path, ...routes[path] }],
);
