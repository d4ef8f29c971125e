import fc from "fast-check";
import { expect, test } from "vitest";
import type {
  FieldDefinition,
  ModelDefinition,
  ServiceDefinition,
} from "../../../generator/definition/definition.ts";
import { databaseName } from "../../../generator/definition/names.ts";
import { planMigration } from "../../../generator/migrations/plan.ts";
import { tablesOf } from "../../../generator/migrations/snapshot.ts";
import { applySteps, drafts } from "../support/apply-steps.ts";
import { field, model, service } from "../support/definitions.ts";

const modelKeys = ["a", "b", "c"] as const;
const fieldNames = ["x", "y", "z"] as const;

const someField = fc.record({
  name: fc.constantFrom(...fieldNames),
  kind: fc.constantFrom("string", "text", "integer", "boolean"),
  nullable: fc.boolean(),
  maxLength: fc.constantFrom(10, 20),
  withEnum: fc.boolean(),
  withDefault: fc.boolean(),
  unique: fc.boolean(),
  target: fc.constantFrom(null, ...modelKeys),
  onDelete: fc.constantFrom("restrict", "cascade"),
  renamedFrom: fc.constantFrom(null, ...fieldNames),
});

const someModel = fc.record({
  key: fc.constantFrom(...modelKeys),
  renamedFrom: fc.constantFrom(null, ...modelKeys),
  softDelete: fc.boolean(),
  fields: fc.uniqueArray(someField, { selector: ({ name }) => name, maxLength: 3 }),
});

const someService = fc.uniqueArray(someModel, { selector: ({ key }) => key, maxLength: 3 }).map(serviceOf);

type Shapes = readonly (typeof someModel extends fc.Arbitrary<infer Shape> ? Shape : never)[];

function serviceOf(shapes: Shapes): ServiceDefinition {
  const keys = new Set<string>(shapes.map(({ key }) => key));
  return service(
    ...shapes.map(({ key, renamedFrom, softDelete, fields }): ModelDefinition => {
      const definitions = fields.map((shape) => fieldOf(key, shape, keys));
      const unique = fields.filter((shape) => shape.unique).map(({ name }) => [name]);
      const uniqueKeys = unique.map((names) => ({
        name: databaseName([key, ...names], "key"),
        fields: names,
      }));
      return model(key, { renamedFrom, softDelete, fields: definitions, uniqueKeys });
    }),
  );
}

function fieldOf(
  table: string,
  shape: Shapes[number]["fields"][number],
  keys: ReadonlySet<string>,
): FieldDefinition {
  const { name, nullable, renamedFrom, target, onDelete } = shape;
  if (target !== null && keys.has(target)) {
    const foreignKey = {
      name: databaseName([table, name], "fkey"),
      model: target,
      table: target,
      column: "id",
      onDelete,
    };
    return field(name, { kind: "bigint", nullable, renamedFrom, foreignKey });
  }
  const { kind, maxLength, withEnum, withDefault } = shape;
  const base = { kind, nullable, renamedFrom, maxLength };
  if (kind !== "string") return field(name, base);
  return field(name, {
    ...base,
    enum: withEnum ? ["p", "q"] : null,
    ...(withDefault ? { default: "p" } : {}),
  });
}

test("whatever changes, the steps lead from the old tables to the new ones and back, and then nothing is left", () => {
  fc.assert(
    fc.property(someService, someService, (before, after) => {
      const tables = tablesOf(before);
      const plan = planMigration(after, { migration: "0001_initial", tables }, ["0001_initial"]);
      const up = plan.migration?.changes.map(({ step }) => step) ?? [];
      expect(applySteps(tables, up)).toEqual(drafts(tablesOf(after)));
      expect(applySteps(plan.after.tables, plan.migration?.down ?? [])).toEqual(drafts(tables));
      expect(planMigration(after, plan.after, plan.history).migration).toBeNull();
    }),
    { numRuns: 500 },
  );
});
