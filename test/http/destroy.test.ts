import { describe } from "vitest";
import type { Json } from "#vocabulary/json";
import { type Scenario, scenarios } from "../support/scenarios.ts";
import { testService } from "../support/service.ts";

const service = await testService();

const a = "0a000000-0000-4000-8000-00000000000a";
const given = {
  tasks: [
    { id: 1, title: "a", user: 7 },
    { id: 2, title: "b", user: 8 },
    { id: 3, title: "gone", user: 7, deleted_at: "2026-01-01" },
  ],
};

const destroying = (body: Json | undefined, more: Partial<Scenario> = {}): Scenario => ({
  given,
  as: "admin",
  send: "DELETE /tasks/destroy",
  ...(body !== undefined && { body }),
  ...more,
});
const destroyed = (...ids: (number | string)[]) => ({ destroyed_count: ids.length, destroyed_ids: ids });
const all = { tasks: [{ id: 1 }, { id: 2 }, { id: 3 }] };

describe("rows are removed for good", () => {
  // biome-ignore format: one case a line
  scenarios(service, [
    destroying({ query: { id: 1 } }, { name: "a live row", data: destroyed(1), rows: { tasks: [{ id: 2 }, { id: 3 }] } }),
    destroying({ query: { id: 3 } }, { name: "a deleted row", data: destroyed(3), rows: { tasks: [{ id: 1 }, { id: 2 }] } }),
    destroying({ where: { user: 7 } }, { name: "both, by where", data: destroyed(1, 3), rows: { tasks: [{ id: 2 }] } }),
    destroying({ query: { user: 7, deleted_at__is_null: true } }, { name: "a deleted_at filter is stripped", data: destroyed(1, 3) }),
    destroying({ ids: [3, 2, 3] }, { name: "by ids", data: destroyed(2, 3), rows: { tasks: [{ id: 1 }] } }),
    destroying(undefined, { name: "by the query string", send: "DELETE /tasks/destroy?id__in=1,2", data: destroyed(1, 2) }),
    destroying({ query: { id: 1 } },
      { name: "no soft delete", send: "DELETE /docs/destroy", given: { docs: [{ id: 1, code: "a" }] }, data: destroyed(1), rows: { docs: [] } }),
    destroying({ query: { id: a } },
      { name: "set_null empties what refers to it", send: "DELETE /owners/destroy",
        given: { owners: [{ id: a, user_id: 1 }], things: [{ id: 1, owner_id: a }] }, data: destroyed(a),
        rows: { things: [{ owner_id: null }], owners: [] } }),
    destroying({ query: { id: a } },
      { name: "restrict refuses", send: "DELETE /owners/destroy",
        given: { owners: [{ id: a, user_id: 1 }], pets: [{ id: 1, name: "p", owner_id: a }] }, fails: "400 VALIDATION_ERROR",
        rows: { owners: [{ id: a }] } }),
  ]);
});

describe("nothing is removed", () => {
  // biome-ignore format: one case a line
  scenarios(service, [
    destroying({ query: { id: 9 } }, { name: "no such row", fails: "404 NOT_FOUND", rows: all }),
    destroying({ ids: [1, 9] }, { name: "a missing id", fails: "404 NOT_FOUND", rows: all }),
    destroying({ ids: [1, 2] }, { name: "an id out of reach", as: { role: "user", sub: "7" }, fails: "403 PERMISSION_DENIED", rows: all }),
    destroying({ query: { id: 2 } }, { name: "a row out of reach", as: { role: "user", sub: "7" }, fails: "403 PERMISSION_DENIED", rows: all }),
    destroying({ query: { id: 1 } }, { name: "no rule", as: "staff", fails: "403 PERMISSION_DENIED", rows: all }),
    ...([undefined, {}, { query: {} }, { query: { deleted_at: 1 } }] as const).map((body) =>
      destroying(body, { name: `body ${JSON.stringify(body)}`,
        fails: "400 VALIDATION_ERROR query",
        rows: all,
      }),
    ),
    destroying({ ids: [] }, { fails: "400 VALIDATION_ERROR ids", rows: all }),
    destroying({ ids: Array.from({ length: 51 }, (_, id) => id) }, { name: "too many ids", fails: "400 VALIDATION_ERROR ids", rows: all }),
    destroying({ query: { id: 1 }, ids: [1] }, { fails: "400 VALIDATION_ERROR ids", rows: all }),
    destroying(undefined, { send: "DELETE /tasks/destroy?deleted_at=1", fails: "400 VALIDATION_ERROR query", rows: all }),
  ]);
});
