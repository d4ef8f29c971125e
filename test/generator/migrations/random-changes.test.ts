import fc from "fast-check";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import type {
  CheckDefinition,
  FieldDefinition,
  ModelDefinition,
  ServiceDefinition,
} from "#generator/definition/definition";
import { checkNamer, indexNamer, tableKeyName } from "#generator/definition/names";
import { planMigration } from "#generator/migrations/plan";
import { refusals } from "#generator/migrations/plan-changes";
import { replay } from "#generator/migrations/replay";
import type { Table } from "#generator/migrations/schema";
import { tablesOf } from "#generator/migrations/snapshot";
import type { CheckCondition } from "#vocabulary/conditions/check-tree";
import { elementKindOf } from "#vocabulary/fields/field-kinds";
import { anyItems } from "#vocabulary/fields/field-schema";
import type { Step } from "#vocabulary/migrations/migration-steps";
import { type TestDatabase, testDatabase } from "../../support/database.ts";
import { catalogs, sorted, sqlOf, withoutDemand } from "../support/catalogs.ts";
import { field, model, service } from "../support/definitions.ts";

const modelKeys = ["a", "b", "c"] as const;
const fieldNames = ["x", "y", "z"] as const;
// biome-ignore format: one case a line
const scalars = [
  "text", "integer", "float", "boolean", "date", "datetime", "uuid", "json", "password", "decimal", "int64", "time", "string[]", "text[]",
  "decimal[]", "int64[]", "time[]",
] as const;

// biome-ignore format: many a line
const someField = fc.record({
  name: fc.constantFrom(...fieldNames),
  kind: fc.oneof(fc.constant("string" as const), fc.constantFrom(...scalars)), nullable: fc.boolean(),
  maxLength: fc.constantFrom(10, 20), scale: fc.constantFrom(1, 3),
  enum: fc.constantFrom(null, ["p", "q"], ["p"]), withDefault: fc.boolean(), unique: fc.boolean(),
  index: fc.boolean(), target: fc.constantFrom(null, ...modelKeys), toUnique: fc.boolean(),
  onDelete: fc.constantFrom("restrict", "cascade"), renamedFrom: fc.constantFrom(null, ...fieldNames),
});

const someTest = fc.record({
  op: fc.constantFrom("is_null" as const, "is_not_null" as const, "eq" as const, "ne" as const),
  field: fc.constantFrom(...fieldNames),
});

const someCheck = fc.record({
  name: fc.constantFrom("one", "two", "three"),
  op: fc.constantFrom("and" as const, "or" as const),
  negated: fc.boolean(),
  parts: fc.array(someTest, { minLength: 1, maxLength: 2 }),
});

const someModel = fc.record({
  key: fc.constantFrom(...modelKeys),
  renamedFrom: fc.constantFrom(null, ...modelKeys),
  softDelete: fc.boolean(),
  idType: fc.constantFrom("integer" as const, "uuid" as const),
  table: fc.constantFrom(null, null, "t", "u"),
  composite: fc.boolean(),
  fields: fc.uniqueArray(someField, { selector: ({ name }) => name, maxLength: 3 }),
  checks: fc.uniqueArray(someCheck, { selector: ({ name }) => name, maxLength: 2 }),
});

const someService = fc.uniqueArray(someModel, { selector: ({ key }) => key, maxLength: 3 }).map(serviceOf);

type Shapes = readonly (typeof someModel extends fc.Arbitrary<infer Shape> ? Shape : never)[];
type Shape = Shapes[number]["fields"][number];

function serviceOf(shapes: Shapes): ServiceDefinition {
  const tables = new Map<string, string>();
  for (const { key, table } of shapes) {
    const free = table !== null && ![...tables.values()].includes(table);
    tables.set(key, free ? table : key);
  }
  const tableOf = (key: string) => tables.get(key) ?? key;
  const namer = indexNamer(tables.values());
  return service(
    ...shapes.map(({ key, renamedFrom, softDelete, idType, composite, fields, checks }): ModelDefinition => {
      const table = tableOf(key);
      const keys = (suffix: "key" | "idx", lists: string[][]) =>
        lists.map((names) => ({ name: namer([table, ...names], suffix), fields: names }));
      const indexable = fields.filter(({ kind }) => kind !== "json" && kind !== "password");
      const keyed = indexable.filter(({ kind, target }) => target !== null || elementKindOf(kind) === null);
      const pair = composite && keyed.length > 1 ? [keyed.slice(0, 2).map(({ name }) => name)] : [];
      // biome-ignore format: many a line
      return model(key, {
        table, renamedFrom, softDelete, idType,
        fields: fields.map((shape) => fieldOf(key, shape, shapes, tableOf)),
        uniqueKeys: keys("key", [...keyed.filter(({ unique }) => unique).map(({ name }) => [name]), ...pair]),
        indexes: keys("idx", indexable.filter(({ index }) => index).map(({ name }) => [name])),
        checks: checksOf(table, checks, new Set(fields.map(({ name }) => name))),
      });
    }),
  );
}

/** The checks that are over fields which are there. */
function checksOf(
  table: string,
  shapes: Shapes[number]["checks"],
  fields: ReadonlySet<string>,
): CheckDefinition[] {
  const fit = shapes.filter(({ parts }) => parts.every(({ field }) => fields.has(field)));
  const constraints = checkNamer(
    table,
    fit.map(({ name }) => name),
  );
  return fit.map(({ name, op, negated, parts }, index) => {
    const conditions = parts.map((part): CheckCondition => {
      const { op, field } = part;
      return op === "eq" || op === "ne" ? { op, field, value: { field } } : { op, field };
    });
    const condition: CheckCondition = { op, conditions };
    return {
      ...{ name, constraint: constraints[index] ?? name, text: "", field: "x", message: name },
      condition: negated ? { op: "not", condition } : condition,
    };
  });
}

function fieldOf(
  key: string,
  shape: Shape,
  shapes: Shapes,
  tableOf: (key: string) => string,
): FieldDefinition {
  const { name, nullable, renamedFrom, onDelete } = shape;
  const target = shapes.find((other) => other.key === shape.target);
  if (target === undefined) return field(name, { ...scalarOf(shape), nullable, renamedFrom });
  const column = shape.toUnique && !target.softDelete ? target.fields.find(isKey) : undefined;
  const foreignKey = {
    name: tableKeyName([tableOf(key), name], "fkey"),
    model: target.key,
    table: tableOf(target.key),
    column: column?.name ?? "id",
    onDelete,
  };
  return field(name, { ...kindOf(target, column, shapes), nullable, renamedFrom, foreignKey });
}

/** A column to refer to, which may itself refer to an id. */
function isKey({ unique, kind, target, toUnique }: Shape): boolean {
  return unique && kind === "string" && (target === null || !toUnique);
}

function kindOf(
  target: Shapes[number],
  column: Shape | undefined,
  shapes: Shapes,
): Pick<FieldDefinition, "kind"> & Partial<FieldDefinition> {
  const further = shapes.find(({ key }) => key === column?.target);
  if (column !== undefined && further === undefined) return { kind: "string", maxLength: column.maxLength };
  return { kind: (further ?? target).idType === "uuid" ? "uuid" : "bigint" };
}

function scalarOf({
  kind,
  maxLength,
  scale,
  enum: values,
  withDefault,
}: Shape): Pick<FieldDefinition, "kind"> & Partial<FieldDefinition> {
  const decimal = { precision: 6, scale };
  if (kind === "decimal") return { kind, decimal, ...(withDefault ? { default: "1.5" } : {}) };
  if (kind === "decimal[]")
    return { kind, decimal, items: anyItems, ...(withDefault ? { default: ["1.5"] } : {}) };
  if (kind === "string[]")
    return { kind, maxLength, enum: values, items: anyItems, ...(withDefault ? { default: ["p"] } : {}) };
  if (kind !== "string") return { kind };
  return { kind, maxLength, enum: values, ...(withDefault ? { default: "p" } : {}) };
}

test("for all changes PostgreSQL accepts the steps, and they lead to the tables that the models need, and back", async () => {
  const database = await testDatabase();
  const client = new pg.Client(database.url);
  await client.connect();
  onTestFinished(() => client.end());
  await fc.assert(
    fc.asyncProperty(someService, someService, async (before, after) => {
      const tables = tablesOf(before);
      fc.pre(refusals(tables, after).length === 0);
      const plan = planMigration(after, { migration: "0001_initial", tables }, ["0001_initial"]);
      expect(planMigration(after, plan.after, plan.history).migration).toBeNull();
      const changes = plan.migration?.changes ?? [];
      const up = changes.map(({ step }) => step);
      const down = plan.migration?.down ?? [];
      const [was, is] = [initial(before), initial(after)];
      expect(inOrder(replay([...was, ...up]))).toEqual(inOrder(tablesOf(after)));
      const built = await catalogs(client, is);
      const migrated = await catalogs(client, was, up, down);
      expect(migrated[1]).toEqual(built[0]);
      expect(migrated[2]?.map(withoutDemand)).toEqual(migrated[0]?.map(withoutDemand));
      if (changes.every((change) => change.class !== "destructive"))
        await withRows(database, tables, was, up);
    }),
    { numRuns: 150 },
  );
}, 60_000);

function initial(definition: ServiceDefinition): Step[] {
  const plan = planMigration(definition, { migration: null, tables: [] }, []);
  return plan.migration?.changes.map(({ step }) => step) ?? [];
}

/**
 * Steps add tables and their parts at the end, at any position in the models. A table that keeps its
 * name has no step for a change of its model.
 */
function inOrder(tables: readonly Table[]): Omit<Table, "model">[] {
  return sorted(tables).map(({ model: _, ...table }) => ({
    ...table,
    columns: sorted(table.columns),
    indexes: sorted(table.indexes),
    foreignKeys: sorted(table.foreignKeys),
    checks: sorted(
      table.checks.map((check) => ("oneOf" in check ? { ...check, oneOf: [...check.oneOf].sort() } : check)),
    ),
  }));
}

/** Steps that are not destructive fail on no rows. */
async function withRows(
  { query }: TestDatabase,
  tables: readonly Table[],
  was: Step[],
  up: Step[],
): Promise<void> {
  await query("BEGIN; CREATE SCHEMA trial; SET LOCAL search_path = trial");
  try {
    await query(sqlOf(was));
    for (const table of [...tables, ...tables]) {
      await query("SAVEPOINT before_row");
      // A row that the table does not take is of no use here.
      await query(rowOf(table)).catch(() => query("ROLLBACK TO before_row"));
    }
    await query(sqlOf(up));
  } finally {
    await query("ROLLBACK");
  }
}

function rowOf({ name, columns, foreignKeys }: Table): string {
  const values = columns.flatMap((column): [string, string][] => {
    if (column.name === "id" || column.name === "deleted_at" || column.default !== undefined) return [];
    if (foreignKeys.some((key) => key.column === column.name))
      return [[column.name, column.nullable ? "NULL" : "1"]];
    return [[column.name, sample[column.type.replace(/\([^)]*\)/, "")] ?? listSample(column.type) ?? "'p'"]];
  });
  if (values.length === 0) return `INSERT INTO ${name} DEFAULT VALUES`;
  const [names, row] = [values.map(([column]) => column), values.map(([, value]) => value)];
  return `INSERT INTO ${name} (${names.join(", ")}) VALUES (${row.join(", ")})`;
}

// biome-ignore format: many a line
const sample: Readonly<Record<string, string>> = {
  boolean: "true", date: "'2026-01-31'", "double precision": "1.5", integer: "7", bigint: "9007199254740993",
  jsonb: "'{}'", numeric: "1.5", time: "'12:30'", timestamptz: "'2026-01-31T23:00:00Z'",
  uuid: "gen_random_uuid()",
};

function listSample(type: string): string | undefined {
  if (!type.endsWith("[]")) return undefined;
  return type.startsWith("time") ? "'{12:30,00:00}'" : /^(bigint|numeric)/.test(type) ? "'{1,2}'" : "'{p}'";
}
