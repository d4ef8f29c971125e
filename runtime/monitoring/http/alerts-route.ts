import { readJsonBody, sendAnswer } from "../../http/index.ts";
import type { AlertCheck, AlertResult } from "../records/reads.ts";
import { readAlertChecks } from "./alert-checks.ts";
import { recordedName } from "./alert-names.ts";
import type { MonitoringRoute } from "./monitoring-route.ts";
import { readIfReachable, valuesOf } from "./store-answers.ts";

/** `POST /monitoring/alerts/evaluate`: which of the checks breach now; it answers without the store, too. */
export const evaluateAlerts: MonitoringRoute = {
  async run(call) {
    valuesOf({}, call);
    const { services, request, response } = call;
    const body = await readJsonBody(request, services.bodyLimitBytes);
    const { store, now, names } = services;
    const { mountPath } = request.context;
    const checks = readAlertChecks(body, (name) => recordedName(names, mountPath, name));
    const data = await readIfReachable(store.read("alerts", { now: now(), checks }));
    sendAnswer(response, { message: "checks evaluated", data: data ?? withoutStore(checks) });
  },
};

/** Nothing is known but that the store cannot be reached (contract: `health`). */
function withoutStore(checks: readonly AlertCheck[]): string {
  const results = checks.map(({ id, metric }): AlertResult => {
    const isHealth = metric === "health";
    return { id, breaching: isHealth, value: isHealth ? 0 : null, sample_count: 0 };
  });
  return JSON.stringify({ results });
}
