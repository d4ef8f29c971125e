import fc from "fast-check";
import { expect, test } from "vitest";
import { loadFiles } from "../../load/load-text.ts";
import { schemaOf } from "./schema-of.ts";
import { validSchema } from "./schemas.ts";

// Names that are words of GraphQL, of its schema here, or of one another's derived names.
// biome-ignore format: one case a line
const keys = [
  ...["a", "a_b", "AB", "A_b", "true", "null", "query", "Query", "type", "input", "on", "Int", "ID", "JSON"],
  ...["Time", "Decimal", "Int64Filter", "StringListFilter"],
  ...["books", "books_aggregate", "BooksAggregate", "BooksWhere", "BooksOrderBy", "Books_state", "Books2"],
  ...["order_items", "OrderItems", "orderItems", "OrderItemsCreate", "Mutation", "EnumFilter", "__x", "A".repeat(63)],
] as const;
// biome-ignore format: one case a line
const names = [
  ...["title", "state", "count", "sum", "min_title", "sum_total", "total", "limit", "orderBy", "search", "where"],
  ...["true", "false", "null", "on", "query", "input", "__typename", "author", "author_id", "eq", "A", "a1_"],
  ...["x".repeat(63), "toString"],
] as const;
const roles = fc.constantFrom([], [{ role: "*" }]);
const gate = fc.option(fc.constantFrom([], ["*"], ["admin"]), { nil: undefined });

// biome-ignore format: many a line
const scalar = fc
  .record({ type: fc.constantFrom(
      ...[
        "string", "text", "email", "password", "integer", "float", "boolean", "datetime", "date", "json", "uuid", "bigint", "time", "string[]",
        "integer[]", "bigint[]", "time[]",
      ],
    ),
    required: fc.boolean(),
    searchable: fc.boolean(),
    description: fc.constantFrom(undefined, '"""', "a\nb\\", "\u0007\u202e", "  \n x"),
  })
  .map(({ type, required, searchable, description }) => {
    const isText = ["string", "text", "email"].includes(type);
    return { type, required, description, ...(isText && searchable ? { searchable } : {}) };
  });
const named = fc.record({
  type: fc.constant("string"),
  enum: fc.constantFrom(["draft", "live"], ["true", "x"], ["a b"], ["__x"], ["null"], ["Å"]),
});
const listed = named.map((field) => ({ ...field, type: "text[]", default: field.enum }));
const exact = fc.record({
  type: fc.constantFrom("decimal", "decimal[]"),
  precision: fc.constant(5),
  scale: fc.nat(5),
});
const numbered = fc.constant({ type: "integer", enum: [1, 2], default: 2 });
const joined = fc.record({
  type: fc.constant("belongs_to"),
  relationship: fc.record({ model: fc.constantFrom(...keys, "users") }),
});
const collected = fc.record({
  type: fc.constantFrom("has_many", "has_one"),
  relationship: fc.record({ model: fc.constantFrom(...keys), foreign_key: fc.constantFrom(...names) }),
});
const field = fc.oneof(
  { weight: 6, arbitrary: scalar },
  named,
  listed,
  exact,
  numbered,
  { weight: 3, arbitrary: joined },
  collected,
);
const entry = fc.record({ read: gate, write: gate });

const model = fc
  .record({
    id_type: fc.constantFrom("integer", "uuid"),
    soft_delete: fc.boolean(),
    internal: fc.boolean(),
    description: fc.constantFrom(undefined, "One line", "Two\nlines"),
    fields: fc.dictionary(fc.constantFrom(...names), field, { maxKeys: 5 }),
    access: fc.record({
      ...{ fetch: roles, search: roles, create: roles, update: roles, delete: roles, destroy: roles },
      fields: fc.dictionary(fc.constantFrom(...names, "id", "created_at", "updated_at"), entry, {
        maxKeys: 4,
      }),
    }),
  })
  .map(({ soft_delete, access, ...rest }) => ({
    ...rest,
    soft_delete,
    access: { ...access, ...(soft_delete ? { restore: access.update } : {}) },
  }));
const models = fc.dictionary(fc.constantFrom(...keys), model, { maxKeys: 4 });

/** The models without those that the generator reports, so that most random models are left. */
async function acceptable(random: Record<string, { fields: object; access: { fields: object } }>) {
  const left = structuredClone(random);
  for (let round = 0; round < 12; round++) {
    const result = await loadFiles({ "models.json": JSON.stringify(left, null, 1) });
    if (result.definition !== null) return result.definition;
    const error = result.diagnostics.find(({ severity }) => severity === "error");
    const quoted = [...(error?.message.matchAll(/"([^"]+)"/g) ?? [])].map(([, name = ""]) => name);
    const before = JSON.stringify(left);
    for (const one of Object.values(left))
      for (const name of quoted) {
        Reflect.deleteProperty(one.fields, name);
        Reflect.deleteProperty(one.access.fields, name);
      }
    if (JSON.stringify(left) !== before) continue;
    for (const name of quoted) Reflect.deleteProperty(left, name);
    if (JSON.stringify(left) === before) return null;
  }
  return null;
}

test("models that pass the checks make a valid schema, for all names", {
  timeout: 120_000,
}, async () => {
  let kept = 0;
  await fc.assert(
    fc.asyncProperty(models, async (random) => {
      const definition = await acceptable(random);
      if (definition === null) return;
      // The accounts are one.
      kept += definition.models.length > 1 ? 1 : 0;
      const text = schemaOf(definition);
      expect(() => validSchema(text)).not.toThrow();
      expect(schemaOf(definition)).toBe(text);
    }),
    { numRuns: 60, seed: 5 },
  );
  expect(kept).toBeGreaterThan(20);
});
