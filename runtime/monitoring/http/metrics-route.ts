import type { MonitoringRoute } from "./monitoring-route.ts";
import { valuesOf } from "./store-answers.ts";

const openMetrics = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/** `GET /monitoring/metrics`: OpenMetrics 1.0, in no envelope, from what the process itself has counted. */
export const metricsExport: MonitoringRoute = {
  async run(call) {
    valuesOf({}, call);
    const text = await call.services.metrics();
    const { response } = call;
    response.setHeader("Content-Type", openMetrics);
    response.setHeader("Content-Length", Buffer.byteLength(text));
    response.end(text);
  },
};
