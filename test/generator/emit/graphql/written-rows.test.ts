import { expect, test } from "vitest";
import { definitionOf } from "../../review/changes-between.ts";
import { schemaOf } from "./schema-of.ts";

const user = [{ role: "user" }];
const when = (condition: string, role = "user") => [{ role, condition }];

const above = "above.open = true";
const soon = "due > now()";

// The fields of answers can be null only where a role can write rows that it perhaps cannot fetch.
// biome-ignore format: one case a line
test.each<[string, object, boolean]>([
  ["no rule to fetch", { update: user }, true],
  ["all rows", { fetch: user, update: user, delete: user }, false],
  ["fewer rows than fetch", { fetch: user, update: when("open = true") }, false],
  ["more rows than fetch", { fetch: when("open = true"), update: user }, true],
  ["the same rows", { fetch: when("open = true"), update: when("open = true") }, false],
  ["a further condition", { fetch: when("open = true"), delete: when("size > 1 AND open = true") }, false],
  ["one alternative of fetch", { fetch: when("open = true OR size = 2"), delete: when("open = true") }, false],
  ["another condition", { fetch: when("open = true"), delete: when("size > 1") }, true],
  ["a role that fetches as everyone", { fetch: [{ role: "*" }], update: user }, false],
  ["another role", { fetch: user, update: [{ role: "staff" }] }, true],
  ["rows of which another one decides", { fetch: when(above), delete: when(above) }, true],
  ["rows that time closes", { fetch: when(soon), update: when(soon) }, true],
  ["rows of which one alternative lasts", { fetch: when(`${soon} OR open = true`), update: when(`open = true AND ${soon}`) }, false],
  ["only new rows", { create: user, upsert: [] }, false],
])("writes of %s", async (_, access, nullable) => {
  const above_id = { type: "belongs_to", relationship: { model: "notes" } };
  const fields = { open: { type: "boolean", required: true }, size: { type: "integer" }, due: { type: "datetime" }, above_id };
  const schema = schemaOf(await definitionOf({ notes: { fields, access }, pens: { fields, access: { fetch: user } } }));
  expect(schema.includes("interface NotesWritten {\n  id: BigInt!\n  open: Boolean\n")).toBe(nullable);
  expect(schema).toContain(`type notes${nullable ? " implements NotesWritten" : ""} {\n  id: BigInt!\n  open: Boolean!\n`);
});
