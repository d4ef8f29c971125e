import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { ServiceError } from "#runtime/core/errors/index";
import { readAlertChecks, recordedName } from "#runtime/modules/monitoring/http/alert-checks";
import type { JsonObject } from "#vocabulary/json";
import { aiMetrics, httpMetrics } from "#vocabulary/monitoring";

const known = ["books", "/books/fetch", "unmatched"];
const recorded = (name: string) => (known.includes(name) ? name : null);

/** The parsed result, or the places of the problems. */
function read(body: JsonObject): readonly unknown[] | { readonly refused: readonly (number | null)[] } {
  try {
    return readAlertChecks(body, recorded);
  } catch (error) {
    if (!(error instanceof ServiceError) || error.status !== 422) throw error;
    const errors = error.details?.["errors"];
    if (error.code !== "VALIDATION_ERROR" || !Array.isArray(errors)) throw error;
    return { refused: errors.map(({ index }: { index: number | null }) => index) };
  }
}

const id = fc.oneof(
  fc.string(),
  fc.maxSafeInteger(),
  fc.double({ noNaN: true, noDefaultInfinity: true, noInteger: true }),
);
const threshold = {
  id,
  op: fc.constantFrom("gt", "lt"),
  value: fc.double({ noNaN: true, noDefaultInfinity: true }),
  window_seconds: fc.integer({ min: 1, max: 2_592_000 }),
};
const routes = fc.uniqueArray(fc.constantFrom(...known), { minLength: 1 });
const ofRequests = fc.record({ ...threshold, metric: fc.constantFrom(...httpMetrics) });
const ofRoutes = fc.record({ ...threshold, metric: fc.constantFrom(...httpMetrics), routes });
const ofRuns = fc.record({ ...threshold, metric: fc.constantFrom(...aiMetrics) });
const ofHealth = fc.record(
  {
    id,
    metric: fc.constant("health"),
    op: fc.jsonValue(),
    value: fc.jsonValue(),
    window_seconds: fc.jsonValue(),
  },
  { requiredKeys: ["id", "metric"] },
);
const wellFormed = fc.oneof(ofRequests, ofRoutes, ofRuns, ofHealth);
const batch = fc.array(wellFormed, { minLength: 1, maxLength: 8 });

describe("readAlertChecks", () => {
  it("reads all well-formed data, and skips what health ignores", () => {
    fc.assert(
      fc.property(batch, (checks) => {
        expect(read({ checks })).toEqual(
          checks.map((check) =>
            check.metric === "health"
              ? { id: check.id, metric: "health" }
              : {
                  id: check.id,
                  metric: check.metric,
                  op: check.op,
                  value: check.value,
                  windowSeconds: check.window_seconds,
                  routes: "routes" in check ? check.routes : null,
                },
          ),
        );
      }),
    );
  });

  it("never throws on any JSON", () => {
    const wild = fc.record(
      Object.fromEntries(
        ["id", "metric", "op", "value", "window_seconds", "routes", "__proto__"].map((key) => [
          key,
          fc.oneof(fc.jsonValue(), fc.constantFrom("health", "5xx_rate", "gt", 1, known)),
        ]),
      ),
      { requiredKeys: [] },
    );
    const body = fc.oneof(
      fc.dictionary(fc.string(), fc.jsonValue()),
      fc.record({ checks: fc.oneof(fc.jsonValue(), fc.array(fc.oneof(wild, wellFormed, fc.jsonValue()))) }),
    );
    fc.assert(
      fc.property(body, (sent) => {
        const outcome = read(sent);
        if ("refused" in outcome) expect(outcome.refused.length).toBeGreaterThan(0);
        else expect(outcome).toHaveLength(Array.isArray(sent["checks"]) ? sent["checks"].length : 0);
      }),
      { numRuns: 1000 },
    );
  });
});

const names = new Set(["books", "/books/fetch", "/shop/fetch", "unmatched"]);

test.each<[string, string, string | null]>([
  ["", "books", "books"],
  ["", "/books/fetch", "/books/fetch"],
  ["", "/shop/books/fetch", null],
  ["", "unmatched", "unmatched"],
  ["", "", null],
  ["", "/", null],
  ["/shop", "books", "books"],
  ["/shop", "unmatched", "unmatched"],
  ["/shop", "/books/fetch", "/books/fetch"],
  ["/shop", "/shop/books/fetch", "/books/fetch"],
  ["/shop", "/shop/fetch", "/shop/fetch"],
  ["/shop", "/shop/shop/fetch", "/shop/fetch"],
  ["/shop", "/shop/", null],
  ["/shop", "/shop/unmatched", null],
  ["/shop", "/shopbooks/fetch", null],
  ["/shop", "/shopbooks", null],
  ["/shop", "/other/books/fetch", null],
])("mounted at %j, %j is recorded as %j", (mount, name, expected) => {
  expect(recordedName(names, mount, name)).toBe(expected);
});
