import { join } from "node:path";
import { crud, guard, input, modelRoutes, route } from "kirak/rest";
import { startTestService } from "kirak/testing";
import { expect, test } from "vitest";
import type { AccessReport } from "#cli/check-access/access-report";
import { runAccessCheck } from "#cli/check-access/check-access";
import { cellName } from "#cli/check-access/print-report";
import type { Service } from "#runtime/index";
import type { FieldRules, Policy, Rule } from "#runtime/models/access/index";
import type { TestService } from "#runtime/testing/index";
import type { Operation } from "#vocabulary/operations";
import { service } from "../../generated/index.ts";

const root = join(import.meta.dirname, "..", "..");

/** A fault of the running app that its models do not have. */
type Plant = (app: Service) => Service;
type Hooks = Service["models"][number]["hooks"];

/** Replaces policy or hooks of a model, in all of its routes. */
function edited(key: string, change: { policy?: (policy: Policy) => Policy; hooks?: object }): Plant {
  return (app) => ({
    ...app,
    models: app.models.map((entry) => {
      if (entry.model.key !== key) return entry;
      const policy = change.policy?.(entry.policy) ?? entry.policy;
      const hooks: Hooks = { ...entry.hooks, ...change.hooks };
      const { model, validators, limits } = entry;
      return modelRoutes({ model, policy, validators, hooks, limits }, [
        route.get("/fetch", guard(policy.fetch), input.list, crud.fetch),
        route.get("/search", guard(policy.search), input.search, crud.search),
        route.get("/count", guard(policy.count), input.filter, crud.count),
        route.get("/exists", guard(policy.exists), input.requiredFilter, crud.exists),
        route.post("/create", guard(policy.create), input.records, crud.create),
        route.put("/update", guard(policy.update), input.changes, crud.update),
        route.put("/upsert", guard(policy.upsert), input.record, crud.upsert),
        route.delete("/delete", guard(policy.delete), input.removal, crud.delete),
        route.delete("/destroy", guard(policy.destroy), input.removal, crud.destroy),
        route.patch("/restore", guard(policy.restore), input.restoration, crud.restore),
      ]);
    }),
  });
}

/** Gives an operation further rules, or others. */
function rules(
  key: string,
  operation: Operation,
  change: (rules: readonly Rule[]) => readonly Rule[],
): Plant {
  return edited(key, {
    policy: (policy) => {
      const { rules: old, insertRules } = policy[operation];
      return { ...policy, [operation]: { operation, rules: change(old), insertRules: change(insertRules) } };
    },
  });
}

const opened = (key: string, operation: Operation, role: string) =>
  rules(key, operation, (old) => [...old, { role }]);

/** Drops the condition of a rule. */
const loosened = (key: string, operation: Operation, role: string) =>
  rules(key, operation, (old) => old.map((rule) => (rule.role === role ? { role } : rule)));

/** Drops one part of a condition that is joined with AND. */
const without = (key: string, operation: Operation, role: string, index: number) =>
  rules(key, operation, (old) =>
    old.map((rule) => {
      if (rule.role !== role || rule.when?.op !== "and") return rule;
      return { role, when: { op: "and", conditions: rule.when.conditions.filter((_, at) => at !== index) } };
    }),
  );

const gate = (key: string, field: string, entry: FieldRules) =>
  edited(key, { policy: (policy) => ({ ...policy, fields: { ...policy.fields, [field]: entry } }) });

const hooks = (key: string, named: object) => edited(key, { hooks: named });

const rowsOf = (rows: unknown, change: (row: object) => object) =>
  Array.isArray(rows) ? rows.map((row) => change(Object(row))) : rows;

// biome-ignore format: one case a line
const holes: readonly (readonly [name: string, plant: Plant, model: string, operation: Operation, found: string])[] = [
  ["fetch opens all rows to everyone", loosened("books", "fetch", "*"), "books", "fetch", "books.fetch as guest, rows out, over rest"],
  ["fetch drops a comparison with now()", without("books", "fetch", "*", 1), "books", "fetch", "books.fetch as guest, rows out, over graphql"],
  ["search opens all rows", loosened("books", "search", "*"), "books", "search", "books.search as user, rows out, over rest"],
  ["an aggregate counts all rows", loosened("books", "search", "*"), "books", "search", "books.search as user, rows aggregate of out, over graphql"],
  ["count counts all rows", loosened("books", "count", "*"), "books", "count", "books.count as guest, rows out, over rest"],
  ["exists tells of all rows", loosened("books", "exists", "*"), "books", "exists", "books.exists as guest, rows out, over rest"],
  ["users create books", opened("books", "create", "user"), "books", "create", "books.create as user, rows denied, over rest"],
  ["guests create authors", opened("authors", "create", "*"), "authors", "create", "authors.create as guest, rows denied, over graphql"],
  ["users update authors", opened("authors", "update", "user"), "authors", "update", "authors.update as user, rows denied, over rest"],
  ["staff delete published books", loosened("books", "delete", "staff"), "books", "delete", "books.delete as staff, rows out, over rest"],
  ["staff destroy books", opened("books", "destroy", "staff"), "books", "destroy", "books.destroy as staff, rows denied, over rest"],
  ["users restore books", opened("books", "restore", "user"), "books", "restore", "books.restore as user, rows denied, over rest"],
  ["users upsert orders", opened("orders", "upsert", "user"), "orders", "upsert", "orders.upsert as user, rows a row: denied, over rest"],
  ["users see the orders of others", loosened("orders", "fetch", "user"), "orders", "fetch", "orders.fetch as another user, rows out, over rest"],
  ["users change the reviews of others", without("reviews", "update", "user", 0), "reviews", "update", "reviews.update as another user, rows out, over rest"],
  ["users change reviews after moderation", without("reviews", "update", "user", 1), "reviews", "update", "reviews.update as user, rows out, over graphql"],
  ["a gift card shows after it was redeemed", without("gift_cards", "fetch", "user", 1), "gift_cards", "fetch", "gift_cards.fetch as user, rows out, over rest"],
  ["staff make gift cards of any amount", loosened("gift_cards", "create", "staff"), "gift_cards", "create", "gift_cards.create as staff, rows out, over rest"],
  ["users make customers for others", loosened("customers", "create", "user"), "customers", "create", "customers.create as another user, rows out, over rest"],
  ["users remove lines of paid orders", without("order_items", "delete", "user", 1), "order_items", "delete", "order_items.delete as user, rows out, over rest"],
  ["staff announce to admins", loosened("announcements", "create", "staff"), "announcements", "create", "announcements.create as staff, rows out, over rest"],
  ["everyone reads a gated field", gate("books", "cost", {}), "books", "fetch", "books.fetch as guest, rows in, over rest"],
  ["a gate misses groups and orders", gate("books", "updated_at", {}), "books", "fetch", "books.fetch as guest, rows field updated_at in order_by, over rest"],
  ["users read the notes about them", gate("customers", "staff_notes", { write: [] }), "customers", "fetch", "customers.fetch as user, rows in, over rest"],
  ["users set their tier", gate("customers", "loyalty_tier", {}), "customers", "update", "customers.update as user, rows field loyalty_tier in data, over rest"],
  ["staff set the average", gate("books", "average_rating", { write: ["staff"] }), "books", "update", "books.update as staff, rows field average_rating in input, over graphql"],
  ["a hook returns a gated field", hooks("books", { after_fetch: (rows: unknown) => rowsOf(rows, (row) => ({ ...row, cost: "1.00" })) }), "books", "fetch", "books.fetch as guest, rows in, over rest"],
  ["a hook adds a row", hooks("books", { after_fetch: (rows: unknown) => (Array.isArray(rows) ? [...rows, { id: 999_999 }] : rows) }), "books", "fetch", "books.fetch as guest, rows out, over rest"],
  ["a hook returns a gated field of a new row", hooks("customers", { after_create: (row: object) => ({ ...row, staff_notes: "a note" }) }), "customers", "create", "customers.create as user, rows in, over rest"],
  ["a hook that fails", hooks("gift_cards", { before_update: () => Promise.reject(new Error("broken")) }), "gift_cards", "update", "gift_cards.update as staff, rows in, over rest"],
  ["a join shows all rows", loosened("books", "fetch", "*"), "authors books", "fetch", "authors.fetch as guest, rows join books, over graphql"],
  ["a hook that does not refuse is not the cause", (app) => hooks("gift_cards", { before_update: () => {} })(rules("gift_cards", "update", () => [])(app)), "gift_cards", "update", "gift_cards.update as staff, rows in, over rest"],
  ["a rule closes too much", rules("books", "fetch", (old) => old.filter(({ role }) => role !== "staff")), "books", "fetch", "books.fetch as staff, rows in, over rest"],
];

const start = (app: Service, options: object) => startTestService(app, options);

async function report(
  app: Service,
  model: string,
  operation: string,
  starting = start,
): Promise<AccessReport> {
  return runAccessCheck(app, { root, models: model.split(" "), operations: [operation] }, starting);
}

function failedCells({ cells }: AccessReport): string[] {
  return cells.filter(({ outcome }) => outcome === "failed").map(cellName);
}

test.each(holes)("%s", async (_, plant, model, operation, found) => {
  expect(failedCells(await report(plant(service), model, operation))).toContain(found);
});

/** A gate that holds everywhere except in one place: requests there are answered as to an admin. */
function answersAsAdmin(place: RegExp) {
  return async (app: Service, options: object): Promise<TestService> => {
    const running = await startTestService(app, options);
    const { request } = running;
    return {
      ...running,
      request: (path, sent) =>
        place.test(`${path} ${JSON.stringify(sent?.body ?? null)}`)
          ? request(path, { ...sent, as: "admin" })
          : request(path, sent),
    };
  };
}

// biome-ignore format: one case a line
test.each([
  ["an aggregate", /_aggregate \{ max \{ cost/, "search", "books.search as guest, rows field cost in the aggregate max, over graphql"],
  ["a group", /groupBy: \[cost\]/, "search", "books.search as guest, rows field cost in groupBy, over graphql"],
  ["a filter", /books\/count\?cost=/, "count", "books.count as guest, rows field cost in a filter, over rest"],
  ["a page", /books_page\(where: \{ id/, "fetch", "books.fetch as guest, rows page of out, over graphql"],
  ["a filter of a page", /books_page\(where: \{ cost/, "fetch", "books.fetch as guest, rows field cost in a filter of a page, over graphql"],
  ["a filter of a join", /books\(cost: /, "fetch", "books.fetch as guest, rows field cost in a filter of a join, over graphql"],
  ["a search", /books\(search: /, "search", "books.search as guest, rows text of title, over graphql"],
  ["select_fields", /select_fields=cost/, "fetch", "books.fetch as guest, rows field cost in select_fields, over rest"],
])("a gate that misses %s", async (_, place, operation, found) => {
  expect(failedCells(await report(service, "books", operation, answersAsAdmin(place)))).toContain(found);
});

test("a route that only the running app has is not covered by rules", async () => {
  const [route] = service.routes;
  if (route === undefined) throw new Error("the shop has a route");
  const open = {
    ...route,
    method: "GET" as const,
    path: "/all-costs",
    access: ["*"],
    handler: () => ({ reference: "", status: "" }),
  };
  const body = {
    type: "object",
    properties: { since: { type: "string", format: "date" }, most: { type: "integer", maximum: 5 } },
    required: ["since", "most"],
  };
  const asking = { ...open, method: "POST" as const, path: "/costs-since", body };
  const { not_covered_by_rules } = await report(
    { ...service, routes: [...service.routes, { ...open, raw: false }, { ...asking, raw: false }] },
    "gift_cards",
    "exists",
  );
  const callers = ["admin", "another admin", "staff", "another staff", "user", "another user", "guest"];
  expect(not_covered_by_rules).toEqual([
    { route: "GET /all-costs (not in models/routes/)", callers },
    { route: "POST /costs-since (not in models/routes/)", callers },
  ]);
});
