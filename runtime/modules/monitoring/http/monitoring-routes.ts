import { monitoringRoutes as listed } from "../../../../vocabulary/built-in-routes.ts";
import {
  callStatuses,
  monitoringNumbers,
  runStatuses,
  statusClasses,
} from "../../../../vocabulary/monitoring.ts";
import { sendSuccess } from "../../../core/http/index.ts";
import { evaluateAlerts } from "./alert-checks.ts";
import type { MonitoringRoute, MountedRoute } from "./monitoring-router.ts";
import { anyText, oneOf, timeWindow, wholeNumber } from "./parameters.ts";
import {
  bucketsRoute,
  metricsExport,
  readParameters,
  storeHealth,
  storeRoute,
  windowRoute,
} from "./store-routes.ts";

/** Page size; larger values are capped. */
const page = { limit: wholeNumber(monitoringNumbers.limit) };
const recentPage = { ...page, status: oneOf(...statusClasses) };
const runsPage = { ...timeWindow, ...page, status: oneOf(...runStatuses) };
const callsPage = { ...timeWindow, ...page, server: anyText, status: oneOf(...callStatuses) };

/** `GET /monitoring/ping`: the process is up. Needs no key. */
const ping: MonitoringRoute = {
  open: true,
  async run(call) {
    readParameters({}, call);
    sendSuccess(call.response, { message: "up", data: '{"status":"ok"}' });
  },
};

/** `dashboardRoute` serves the dashboard. */
type Path = Exclude<(typeof listed)[number]["path"], "/dashboard">;

/** Message, store read and parameters of each route (docs/monitoring.md#routes). */
const routes: Readonly<Record<Path, MonitoringRoute>> = {
  "/ping": ping,
  "/health": storeHealth,
  "/metrics": metricsExport,
  "/summary": windowRoute("summary", "summary"),
  "/trace/{request_id}": storeRoute("trace", "trace", {}, (_, { pathParameter: requestId }) => ({
    requestId,
  })),
  "/alerts/evaluate": evaluateAlerts,
  "/requests": windowRoute("requests by route", "routes"),
  "/requests/timeseries": bucketsRoute("requests over time", "timeseries"),
  "/requests/latency-histogram": windowRoute("requests by latency", "histogram"),
  "/requests/recent": storeRoute("recent requests", "recent", recentPage, (values, { now }) => ({
    ...values,
    now,
  })),
  "/ai/summary": windowRoute("summary of AI runs", "ai_summary"),
  "/ai/cost-timeseries": bucketsRoute("cost of AI runs over time", "ai_costs"),
  "/ai/agents": windowRoute("AI runs by agent", "ai_agents"),
  "/ai/models": windowRoute("AI runs by model", "ai_models"),
  "/ai/tools": windowRoute("tool calls by tool", "ai_tools"),
  "/ai/runs": storeRoute(
    "recent AI runs",
    "ai_runs",
    runsPage,
    ({ window_seconds: windowSeconds, ...values }, { now }) => ({ ...values, now, windowSeconds }),
  ),
  "/ai/runs/{run_id}": storeRoute("AI run", "ai_run", {}, (_, { pathParameter: runId }) => ({ runId })),
  "/mcp/summary": windowRoute("MCP calls by server and tool", "mcp_summary"),
  "/mcp/calls": storeRoute(
    "recent MCP calls",
    "mcp_calls",
    callsPage,
    ({ window_seconds: windowSeconds, ...values }, { now }) => ({ ...values, now, windowSeconds }),
  ),
};

/** Routes of the monitoring module, below `/monitoring` (docs/monitoring.md#routes). */
export const monitoringRoutes: readonly MountedRoute[] = listed.flatMap(({ method, path }) =>
  path === "/dashboard" ? [] : [{ method, path, ...routes[path] }],
);
