import { expect, test } from "vitest";
import { countingInPostgres, fill } from "../support/limited-service.ts";
import { expectDescribed } from "../support/openapi.ts";
import { outcome } from "../support/scenarios.ts";
import type { Caller } from "../support/service-token.ts";

const service = await countingInPostgres();
const key = "crud:things:fetch:ip:10.0.0.1";
await fill(service.window, [key], 3);

// biome-ignore format: one request a line
const requests: readonly (readonly [line: string, template: string, as: Caller, outcome: string])[] = [
  ["GET /admin/rate-limits", "", "admin", "200"],
  ["GET /admin/rate-limits?prefix=crud&limit=2000", "", "system", "200"],
  ["GET /admin/rate-limits?limit=0", "", "admin", "400 VALIDATION_ERROR limit"],
  ["GET /admin/rate-limits?x=1", "", "admin", "400 VALIDATION_ERROR x"],
  ["GET /admin/rate-limits", "", "user", "403 PERMISSION_DENIED"],
  ["GET /admin/rate-limits", "", null, "401 MISSING_TOKEN"],
  [`GET /admin/rate-limits/${encodeURIComponent(key)}`, "/{key}", "admin", "200"],
  ["GET /admin/rate-limits/x", "/{key}", "admin", "404 NOT_FOUND"],
  ["GET /admin/rate-limits/%ff", "/{key}", "admin", "400 VALIDATION_ERROR"],
  [`DELETE /admin/rate-limits/${key}`, "/{key}", "superadmin", "200"],
  [`DELETE /admin/rate-limits/${key}`, "/{key}", "superadmin", "404 NOT_FOUND"],
];

test.each(requests)("the answer of %s (%s) to %s is described: %s", async (line, template, as, expected) => {
  const [method = "", path = ""] = line.split(" ");
  const reply = await service.send({ method, path }, as);
  expectDescribed(method, `/admin/rate-limits${template}`, reply);
  expect(outcome(reply)).toBe(expected);
});
