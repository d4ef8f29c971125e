import { operations } from "../../vocabulary/operations.ts";
import type { Report } from "../diagnostics/index.ts";
import type { RawModel, RawRateLimit } from "../load/raw.ts";
import type { CheckContext } from "./check-context.ts";

const flatKeys = ["max_requests", "window_seconds", "per", "enabled"];

/** Rate limits of models, in their two shapes (contract: "Rate limiting (CRUD and auth)"; decisions, part 8). */
export function checkRateLimits({ models, report }: CheckContext): void {
  for (const model of models) {
    if (model.rateLimit === null) continue;
    checkShape(model, model.rateLimit, report);
    checkEffect(model, model.rateLimit, report);
  }
}

function checkShape(model: RawModel, limit: RawRateLimit, report: Report): void {
  const subject = `the rate limit of model "${model.key}"`;
  const flat = [...limit.keys].filter(([key]) => flatKeys.includes(key));
  if (limit.entries.size > 0) {
    for (const [key, at] of flat) {
      const hint = 'move it into "default", or into the entry of an operation';
      report("mixed-rate-limit", at, `${subject} has "${key}" beside entries of operations`, hint);
    }
    for (const [operation, entry] of limit.entries) checkFlat(`"${operation}" in ${subject}`, entry, report);
    return;
  }
  // Nothing at all, or just `enabled`, leaves the global default.
  if (flat.some(([key]) => key !== "enabled")) checkFlat(subject, limit, report);
}

function checkFlat(subject: string, limit: RawRateLimit, report: Report): void {
  if (limit.enabled === false) return;
  const missing = ["max_requests", "window_seconds"].filter((key) => !limit.keys.has(key));
  if (missing.length === 0) return;
  report(
    "incomplete-rate-limit",
    limit.at,
    `${subject} lacks ${missing.map((key) => `"${key}"`).join(" and ")}`,
  );
}

/** Limits that no request is counted by. */
function checkEffect(model: RawModel, { entries, keys }: RawRateLimit, report: Report): void {
  if (model.internal) {
    const message = `the rate limit of model "${model.key}" has no effect: an internal model has no routes`;
    report("rate-limit-without-effect", model.keys.get("rate_limit") ?? model.at, message, "remove it");
    return;
  }
  const counted = operations.filter((operation) => operation !== "restore" || model.softDelete);
  const subject = `in the rate limit of model "${model.key}" has no effect`;
  const restore = keys.get("restore");
  if (restore !== undefined && !model.softDelete) {
    const message = `"restore" ${subject}: without soft delete nothing is restored`;
    report("rate-limit-without-effect", restore, message, 'remove it, or add "soft_delete": true');
  }
  const rest = keys.get("default");
  if (rest !== undefined && counted.every((operation) => entries.has(operation)))
    report(
      "rate-limit-without-effect",
      rest,
      `"default" ${subject}: each operation has its own entry`,
      "remove it",
    );
}
