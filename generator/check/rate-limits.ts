import type { Report } from "../diagnostics/index.ts";
import type { RawModel, RawRateLimit } from "../load/raw.ts";
import type { CheckContext } from "./context.ts";

const flatKeys = ["max_requests", "window_seconds", "per", "enabled"];

/** Rate limits of models, in their two shapes (contract: "Limits"; decisions, part 8). */
export function checkRateLimits({ models, report }: CheckContext): void {
  for (const model of models) {
    if (model.rateLimit === null) continue;
    checkModel(model, model.rateLimit, report);
    const message = `the rate limit of model "${model.key}" has no effect yet`;
    const hint = "this version checks rate limits and does not enforce them; let a proxy do it";
    report("rate-limit-without-effect", model.keys.get("rate_limit") ?? model.at, message, hint);
  }
}

function checkModel(model: RawModel, limit: RawRateLimit, report: Report): void {
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
