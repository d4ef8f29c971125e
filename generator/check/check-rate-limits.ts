import { modelOperations, operations } from "../../vocabulary/operations.ts";
import { storageOperations } from "../../vocabulary/storage.ts";
import type { ReportDiagnostic } from "../diagnostics/index.ts";
import type { RawModel, RawRateLimit } from "../load/raw.ts";
import type { CheckContext } from "./check-context.ts";

const flatKeys = ["max_requests", "window_seconds", "per", "enabled"];

/** Checks rate limits of models and of storage, in their two shapes. */
export function checkRateLimits({ models, manifest, report }: CheckContext): void {
  for (const model of models) {
    if (model.rateLimit === null) continue;
    checkShape(subjectOf(model), model.rateLimit, report);
    checkEffect(model, model.rateLimit, report);
  }
  const limit = manifest?.storage.rateLimit ?? null;
  if (limit === null) return;
  checkShape("the rate limit of storage", limit, report);
  checkDefault("the rate limit of storage", limit, storageOperations, report);
}

function subjectOf({ key }: RawModel): string {
  return `the rate limit of model "${key}"`;
}

function checkShape(subject: string, limit: RawRateLimit, report: ReportDiagnostic): void {
  const flat = [...limit.keys].filter(([key]) => flatKeys.includes(key));
  if (limit.entries.size > 0) {
    for (const [key, at] of flat) {
      const hint = 'move it into "default", or into the entry of an operation';
      report("mixed-rate-limit", at, `${subject} mixes "${key}" with entries of operations`, hint);
    }
    for (const [operation, entry] of limit.entries) checkFlat(`"${operation}" in ${subject}`, entry, report);
    return;
  }
  // Nothing at all, or just `enabled`, leaves the global default.
  if (flat.some(([key]) => key !== "enabled")) checkFlat(subject, limit, report);
}

function checkFlat(subject: string, limit: RawRateLimit, report: ReportDiagnostic): void {
  if (limit.enabled === false) return;
  const missing = ["max_requests", "window_seconds"].filter((key) => !limit.keys.has(key));
  if (missing.length === 0) return;
  report(
    "incomplete-rate-limit",
    limit.at,
    `${subject} lacks ${missing.map((key) => `"${key}"`).join(" and ")}`,
  );
}

/** Reports limits that apply to no request. */
function checkEffect(model: RawModel, limit: RawRateLimit, report: ReportDiagnostic): void {
  const subject = subjectOf(model);
  if (model.internal) {
    const message = `${subject} has no effect: an internal model has no routes`;
    report("rate-limit-without-effect", model.keys.get("rate_limit") ?? model.at, message, "remove it");
    return;
  }
  const counted = modelOperations(model);
  for (const [operation, at] of limit.keys) {
    if (!model.readOnly || !operations.some((one) => one === operation)) continue;
    if (counted.some((one) => one === operation)) continue;
    const message = `"${operation}" in ${subject} has no effect: the model can only be read`;
    report("rate-limit-without-effect", at, message, "remove it");
  }
  const restore = limit.keys.get("restore");
  if (restore !== undefined && !model.softDelete && !model.readOnly) {
    const message = `"restore" in ${subject} has no effect: without soft delete the model has no restore`;
    report("rate-limit-without-effect", restore, message, 'remove it, or add "soft_delete": true');
  }
  checkDefault(subject, limit, counted, report);
}

function checkDefault(
  subject: string,
  { entries, keys }: RawRateLimit,
  counted: readonly string[],
  report: ReportDiagnostic,
): void {
  const rest = keys.get("default");
  if (rest === undefined || !counted.every((operation) => entries.has(operation))) return;
  const message = `"default" in ${subject} has no effect: each operation has its own entry`;
  report("rate-limit-without-effect", rest, message, "remove it");
}
