import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ModelDefinition } from "#generator/definition/definition";
import { rateLimitsView } from "#generator/emit/views/rate-limits-view";
import { monitoringRoutes } from "#vocabulary/built-in-routes";
import { service as fixture } from "../../http/fixture/generated/index.ts";
import { field, limits, model, service } from "../support/definitions.ts";
import { repository } from "../support/project.ts";

const books = model("books", { slug: "library", fields: [field("title")] });
const lines = (...models: readonly ModelDefinition[]) => [...rateLimitsView(service(...models)).lines];

/** Method and path of each line, without the routes of the service itself. */
function modelRoutes(text: readonly string[]): string[] {
  const routes = text.map((line) => line.split(/ +/).slice(0, 2).join(" "));
  return routes.filter((route) => !/ \/(auth|admin|graphql|healthz|readyz)\b/.test(route));
}

// The compiler does so for account routes: runtime/modules/auth/http/routes/index.ts.
test("the routes of models in the table are those that are served", () => {
  const table = readFileSync(join(repository, "test/http/fixture/generated/rate-limits.txt"), "utf8");
  const served = fixture.models.flatMap(({ model: { slug }, routes }) =>
    [...routes.values()].map(({ method, path }) => `${method} /${slug}${path}`),
  );
  const written = table.split("\n").filter((line) => /^[A-Z]/.test(line));
  expect(modelRoutes(written).sort()).toEqual(served.sort());
});

test("models are sorted by key, and internal ones have no line", () => {
  const routes = modelRoutes(lines(model("zoos"), books, model("hidden", { internal: true })));
  expect(routes).toHaveLength(18);
  expect(routes.slice(8, 10)).toEqual(["DELETE /library/destroy", "GET /zoos/fetch"]);
});

test("another limit changes only the line of its operation", () => {
  const limit = { maxRequests: 1_000_000_000, windowSeconds: 31_536_000, per: "user" } as const;
  const before = lines(books);
  const after = lines({ ...books, limits: limits({ create: { origin: "entry", limit } }) });
  expect(after.filter((line) => !before.includes(line))).toEqual([
    "POST   /library/create                       crud:books:create:user:<user_id>                    1000000000 in 31536000 s  models/models.json: books.rate_limit.create",
  ]);
});

test("another model changes no line of the others", () => {
  const long = model("a".repeat(63), { slug: "b".repeat(100) });
  expect(lines(books, long)).toEqual(expect.arrayContaining(lines(books)));
});

test("a limit is found in the file of its own model, whose name cannot hide anything", () => {
  const source = "models/shop\u202e.models.json";
  const [first] = lines({ ...books, source, limits: limits({ fetch: { origin: "default", limit: null } }) });
  expect(first).toMatch(/ {2}- +unlimited +models\/shop\\u202e\.models\.json: books\.rate_limit\.default$/);
});

test("the default is found in the manifest, where that has it", () => {
  const definition = service(books);
  const rateLimits = {
    ...definition.rateLimits,
    default: { maxRequests: 9, windowSeconds: 8 },
    declared: ["default_max_requests", "default_window_seconds"],
  } as const;
  const { lines: set } = rateLimitsView({ ...definition, rateLimits });
  const counted = set.filter((line) => /\b(crud|auth):/.test(line));
  const origin = "models/manifest.json: rate_limit.default_max_requests, rate_limit.default_window_seconds";
  expect(counted).toHaveLength(9 + 12);
  expect(counted.filter((line) => !line.endsWith(`  ${origin}`))).toEqual([]);
  expect(counted.filter((line) => line.includes("auth:") && !line.includes("  9 in 8 s  "))).toEqual([]);
  expect(lines(books)[0]).toMatch(/100 in 60 s +default$/);
});

test("custom routes come after those of models, each with the origin of its limit", () => {
  const schemas = { params: null, query: null, body: null, raw: false, answer: { schema: {} } };
  const named = { path: "/notes/:id/star", name: null, description: null };
  const route = { file: "models/routes/notes.ts", ...named, access: ["*"], schemas, mcp: null };
  const own = { maxRequests: 10, windowSeconds: 60, per: "user" } as const;
  const definition = {
    ...service(books),
    routes: [
      { ...route, method: "GET", limit: { origin: "entry", limit: null } },
      { ...route, method: "PUT", limit: { origin: "entry", limit: own } },
      { ...route, method: "DELETE", limit: limits({}).fetch },
    ],
  } as const;
  expect(rateLimitsView(definition).lines.slice(9, 12)).toEqual([
    "GET    /notes/:id/star                       -                                                   unlimited           models/routes/notes.ts: rate_limit",
    "PUT    /notes/:id/star                       route:PUT:/notes/:id/star:user:<user_id>            10 in 60 s          models/routes/notes.ts: rate_limit",
    "DELETE /notes/:id/star                       route:DELETE:/notes/:id/star:ip:<ip>                100 in 60 s         default",
  ]);
});

test("the routes of monitoring have no limit, and are in the table if the module is on", () => {
  const definition = { ...service(books), monitoring: true };
  const added = rateLimitsView(definition).lines.filter((line) => !lines(books).includes(line));
  // biome-ignore format: many a line
  expect(added.map((line) => line.split(/ +/))).toEqual(
    monitoringRoutes.map(({ method, path }) => [
      method, `/monitoring${path}`, "-", "unlimited", "built", "in",
    ]),
  );
});
