/** What a routes file and a policy compile: a route cannot have another's guard, input or operation. */

import { crud, guard, input, route } from "#runtime/api/rest/index";
import { caller, definePolicy, eq } from "#runtime/models/access/index";
import { defineModel } from "#runtime/models/index";

// biome-ignore format: many a line
const model = defineModel({
  key: "notes", typeName: "Notes", table: "notes", slug: "notes", id: "uuid", softDelete: false, maxLimit: 10,
  fields: { owner_id: { kind: "bigint" }, text: { kind: "text" } },
  relations: {
    owner: { kind: "belongs_to", field: "owner_id", model: "people", references: "id" },
    tags: { kind: "has_many", field: "id", model: "tags", references: "note_id" },
  },
  uniqueKeys: [], foreignKeys: [],
});

const own = { user: true } as const;

// biome-ignore format: many a line
const rules = {
  fetch: own, search: {}, count: "as fetch", exists: {}, create: own, update: own,
  upsert: "as create and update", delete: own, destroy: {}, restore: {},
} as const;

export const policy = definePolicy<typeof model>({
  ...rules,
  fetch: { user: eq("owner_id", caller.user_id), staff: true },
  fields: { text: { read: ["user"], write: [] } },
});

export const legal = [
  route.get("/fetch", guard(policy.fetch), input.list, crud.fetch),
  route.put("/update", guard(policy.update), input.changes, crud.update),
];

// @ts-expect-error the guard of another operation
export const wrongGuard = route.put("/update", guard(policy.fetch), input.changes, crud.update);
// @ts-expect-error the operation of another route
export const wrongOperation = route.delete("/delete", guard(policy.delete), input.removal, crud.destroy);
// @ts-expect-error the list parser on update
export const wrongInput = route.put("/update", guard(policy.update), input.list, crud.update);
// @ts-expect-error no guard
export const unguarded = route.get("/fetch", input.list, crud.fetch);
// @ts-expect-error the method of another operation
export const wrongMethod = route.post("/update", guard(policy.update), input.changes, crud.update);
// @ts-expect-error no such operation
export const unknownPath = route.get("/fetchall", guard(policy.fetch), input.list, crud.fetch);

const { restore, ...withoutRestore } = rules;
// @ts-expect-error an operation without a line
export const incomplete = definePolicy<typeof model>({ ...withoutRestore, fields: {} });
export const inheritedName = definePolicy<typeof model>({
  ...rules,
  fetch: { toString: true, constructor: eq("text", "a") },
  fields: {},
});
export const otherFallback = definePolicy<typeof model>({
  ...rules,
  // @ts-expect-error only `search`, `count` and `exists` can have the rules of `fetch`
  update: "as fetch",
  fields: {},
});
export const fieldRules = definePolicy<typeof model>({
  ...rules,
  update: {
    a: { fields: ["text"], rows: true },
    b: [eq("text", "a"), { fields: ["text"], rows: eq("text", "b") }],
  },
  // @ts-expect-error an unknown field
  create: { a: { fields: ["other"], rows: true } },
  // @ts-expect-error a delete sends no fields
  delete: { a: { fields: ["text"], rows: true } },
  fields: {},
});
export const noRows = definePolicy<typeof model>({
  ...rules,
  // @ts-expect-error a role that nothing is open to is left out
  destroy: { user: false },
  fields: {},
});
export const unknownGate = definePolicy<typeof model>({
  ...rules,
  // @ts-expect-error a gate on a field that the model does not have
  fields: { txet: { read: [] } },
});
