import { expect, test } from "vitest";
import type { ModelDefinition } from "#generator/definition/definition";
import { differences } from "#generator/migrations/diff";
import { planMigration } from "#generator/migrations/plan";
import { sameTables } from "#generator/migrations/read-history";
import { replay } from "#generator/migrations/replay";
import type { Table } from "#generator/migrations/schema";
import { tablesOf } from "#generator/migrations/snapshot";
import { stepToSql } from "#runtime/migrations/runner/steps/steps-to-sql";
import type { Column, Step } from "#vocabulary/migrations/migration-steps";
import { type TestDatabase, testDatabase } from "../../support/database.ts";
import { field, model, service } from "../support/definitions.ts";

// Tables that were not made by the generator, as the baseline of an introspected database holds them.
const serial: Column = { name: "id", type: "integer", nullable: false, default: "sequence" };
const column = (name: string, type: Column["type"], parts: Partial<Column> = {}): Column => ({
  name,
  type,
  nullable: true,
  ...parts,
});
// biome-ignore format: many a line
const table = (name: string, parts: Partial<Table>): Table => ({
  model: name, name, columns: [serial], indexes: [], foreignKeys: [], checks: [], ...parts,
});

const reference = (name: string, field: string, to: string, id: string) => ({
  name,
  column: field,
  references: { table: to, column: id },
  onDelete: "restrict" as const,
});

interface Adopted {
  readonly up: readonly Step[];
  readonly database: TestDatabase;
  readonly migrate: (direction: "up" | "down") => Promise<void>;
}

/** The tables in a database of their own, with rows, and the migration to the models. */
async function adopted(
  tables: readonly Table[],
  rows: string,
  ...models: readonly ModelDefinition[]
): Promise<Adopted> {
  const database = await testDatabase();
  const { migration } = planMigration(service(...models), { migration: "0001_baseline", tables }, [
    "0001_baseline",
  ]);
  const up = (migration?.changes ?? []).map(({ step }) => step);
  expect(sameTables(replay(up, tables), tablesOf(service(...models)))).toBe(true);
  const run = (steps: readonly Step[]) => database.query(steps.map(stepToSql).join(";\n"));
  await run(differences([], tables, []).map(({ step }) => step));
  await database.query(rows);
  return {
    up,
    database,
    migrate: async (direction) => {
      await run(direction === "up" ? up : (migration?.down ?? []));
    },
  };
}

test("a serial id goes on counting as an identity, and back", async () => {
  const { up, database, migrate } = await adopted(
    [table("shops", { columns: [serial, column("name", "varchar")] })],
    "INSERT INTO shops (name) VALUES ('a'), ('b'); DELETE FROM shops WHERE name = 'b'; INSERT INTO shops (id) VALUES (9)",
    model("shops", { fields: [field("name", { kind: "text" })] }),
  );
  expect(up.filter(({ step }) => step.startsWith("set_"))).toEqual([
    { step: "set_type", table: "shops", column: "id", type: "bigint" },
    { step: "set_default", table: "shops", column: "id", type: "bigint", default: "identity" },
    { step: "set_type", table: "shops", column: "name", type: "text" },
  ]);
  const next = () => database.query("INSERT INTO shops DEFAULT VALUES RETURNING id");
  await migrate("up");
  expect(await next()).toEqual([{ id: "10" }]);
  const sequences = () => database.query("SELECT count(*)::int AS count FROM pg_class WHERE relkind = 'S'");
  expect(await sequences()).toEqual([{ count: 1 }]);
  await migrate("down");
  expect(await next()).toEqual([{ id: 11 }]);
  await migrate("up");
  expect(await next()).toEqual([{ id: "12" }]);
  expect(await sequences()).toEqual([{ count: 1 }]);
});

test("a primary key of another name becomes id, and its references follow", async () => {
  const films = table("films", {
    primaryKey: { name: "film_key", columns: ["film_id"] },
    columns: [{ ...serial, name: "film_id" }],
  });
  const copies = table("copies", {
    columns: [serial, column("film_id", "integer")],
    foreignKeys: [reference("copies_film_id_fkey", "film_id", "films", "film_id")],
  });
  const toFilms = field("film_id", {
    kind: "bigint",
    foreignKey: {
      name: "copies_film_id_fkey",
      model: "films",
      table: "films",
      column: "id",
      onDelete: "restrict",
    },
  });
  const { up, database, migrate } = await adopted(
    [films, copies],
    "INSERT INTO films VALUES (4), (7); INSERT INTO copies (film_id) VALUES (7)",
    model("films"),
    model("copies", { fields: [toFilms] }),
  );
  expect(up).toContainEqual({ step: "rename_column", table: "films", column: "film_id", to: "id" });
  for (const direction of ["up", "down", "up"] as const) await migrate(direction);
  expect(await database.query("SELECT f.id FROM films f JOIN copies c ON c.film_id = f.id")).toEqual([
    { id: "7" },
  ]);
  await expect(database.query("INSERT INTO copies (film_id) VALUES (5)")).rejects.toThrow("copies_film_id");
});

test("id replaces a primary key of several columns, and references to one of its columns stay", async () => {
  const keyed = (name: string, columns: string[]) =>
    table(name, {
      primaryKey: { name: `${name}_key`, columns },
      columns: [column("code", "char(3)", { nullable: false }), column("day", "date", { nullable: false })],
    });
  const visits = table("visits", {
    columns: [serial, column("code", "char(3)")],
    foreignKeys: [reference("visits_code_fkey", "code", "places", "code")],
  });
  const required = { nullable: false, required: true, maxLength: 3 };
  const code = (name: string) => ({
    fields: [field("code", required), field("day", { ...required, kind: "date", maxLength: null })],
    uniqueKeys: [{ name, fields: ["code"] }],
  });
  const toPlaces = field("code", {
    maxLength: 3,
    foreignKey: {
      name: "visits_code_fkey",
      model: "places",
      table: "places",
      column: "code",
      onDelete: "restrict",
    },
  });
  const { database, migrate } = await adopted(
    [keyed("places", ["code"]), keyed("days", ["code", "day"]), visits],
    `INSERT INTO places VALUES ('a', '2026-01-01'); INSERT INTO days SELECT * FROM places;
     INSERT INTO visits (code) VALUES ('a')`,
    model("places", code("places_code_key")),
    model("days", code("days_code_key")),
    model("visits", { fields: [toPlaces] }),
  );
  for (const direction of ["up", "down", "up"] as const) await migrate(direction);
  const keys = await database.query(
    `SELECT conrelid::regclass::text AS of, pg_get_constraintdef(oid) AS key FROM pg_constraint
     WHERE contype IN ('p', 'f') AND connamespace = 'public'::regnamespace ORDER BY 1, 2`,
  );
  expect(keys).toEqual([
    { of: "days", key: "PRIMARY KEY (id)" },
    { of: "places", key: "PRIMARY KEY (id)" },
    { of: "visits", key: "FOREIGN KEY (code) REFERENCES places(code) ON DELETE RESTRICT" },
    { of: "visits", key: "PRIMARY KEY (id)" },
  ]);
  expect(await database.query("SELECT id, code FROM places")).toEqual([{ id: "1", code: "a" }]);
});

test("an id that is not a primary key becomes one", async () => {
  const { database, migrate } = await adopted(
    [
      table("logs", {
        primaryKey: { name: "logs_key", columns: ["at"] },
        columns: [
          column("id", "bigint", { nullable: false }),
          column("at", "timestamptz", { nullable: false }),
        ],
      }),
    ],
    "INSERT INTO logs VALUES (5, '2026-01-01T00:00:00Z')",
    model("logs", { fields: [field("at", { kind: "datetime", nullable: false })] }),
  );
  for (const direction of ["up", "down", "up"] as const) await migrate(direction);
  expect(await database.query("INSERT INTO logs (at) VALUES (now()) RETURNING id")).toEqual([{ id: "6" }]);
  await expect(database.query("INSERT INTO logs (id, at) VALUES (5, now())")).rejects.toThrow("logs_pkey");
});

test("the ids of a table whose primary key has a name of its own take another type", async () => {
  const copies = table("copies", {
    columns: [serial, column("shop_id", "integer")],
    foreignKeys: [reference("copies_shop_id_fkey", "shop_id", "shops", "id")],
  });
  const toShops = field("shop_id", {
    kind: "uuid",
    foreignKey: {
      name: "copies_shop_id_fkey",
      model: "shops",
      table: "shops",
      column: "id",
      onDelete: "restrict",
    },
  });
  const { database, migrate } = await adopted(
    [table("shops", { primaryKey: { name: "the_key", columns: ["id"] } }), copies],
    "INSERT INTO shops VALUES (4), (7); INSERT INTO copies (shop_id) VALUES (7)",
    model("shops", { idType: "uuid" }),
    model("copies", { fields: [toShops] }),
  );
  for (const direction of ["up", "down", "up"] as const) {
    await migrate(direction);
    const joined = await database.query("SELECT c.id FROM shops s JOIN copies c ON c.shop_id = s.id");
    expect(joined).toHaveLength(1);
  }
});

test("a unique constraint goes with its index, and nothing else of that name", async () => {
  const index = { name: "same", columns: ["a"], unique: true, live: false };
  const { database, migrate } = await adopted(
    [
      table("shops", { columns: [serial, column("a", "text")], indexes: [index] }),
      table("copies", {
        columns: [serial, column("shop_id", "bigint")],
        indexes: [{ name: "copies_shop_id_fkey", columns: ["shop_id"], unique: false, live: false }],
        foreignKeys: [reference("copies_shop_id_fkey", "shop_id", "shops", "id")],
      }),
    ],
    "DROP INDEX same; ALTER TABLE shops ADD CONSTRAINT same UNIQUE (a)",
    model("shops", { fields: [field("a", { kind: "text" })] }),
    model("copies", {
      fields: [
        field("shop_id", {
          kind: "bigint",
          foreignKey: {
            name: "copies_shop_id_fkey",
            model: "shops",
            table: "shops",
            column: "id",
            onDelete: "restrict",
          },
        }),
      ],
    }),
  );
  await migrate("up");
  expect(
    await database.query(
      "SELECT conname AS name FROM pg_constraint WHERE contype IN ('u', 'f') AND connamespace = 'public'::regnamespace",
    ),
  ).toEqual([{ name: "copies_shop_id_fkey" }]);
});

const conversions: readonly [
  from: Column["type"],
  to: Partial<ModelDefinition["fields"][number]>,
  verdict: string,
  why?: RegExp,
][] = [
  ["smallint", { kind: "integer" }, "widening, rewrites"],
  ["real", { kind: "float" }, "widening, rewrites"],
  ["varchar", { kind: "text" }, "widening"],
  ["varchar", { maxLength: 20 }, "destructive, rewrites", /cuts values that are longer than 20 characters/],
  ["char(5)", { maxLength: 5 }, "widening, rewrites"],
  ["char(5)", { kind: "text" }, "widening, rewrites", /spaces at the end/],
  ["numeric", { kind: "float" }, "destructive, rewrites", /about 15 digits/],
  ["numeric(10,2)", { kind: "float" }, "widening, rewrites"],
  ["numeric(30,2)", { kind: "float" }, "destructive, rewrites", /about 15 digits/],
  ["timestamp", { kind: "datetime" }, "destructive, rewrites", /takes the times to be in UTC/],
  ["timestamptz", { kind: "datetime" }, "destructive, rewrites", /rounds to milliseconds/],
  ["timestamptz(0)", { kind: "datetime" }, "widening"],
  ["json", { kind: "json" }, "widening, rewrites", /order of keys/],
];

test.each(conversions)("%s becomes %o: %s", (type, parts, verdict, why) => {
  const tables = [table("rows", { columns: [serial, column("x", type)] })];
  const definition = service(model("rows", { fields: [field("x", parts)] }));
  const { migration } = planMigration(definition, { migration: "0001_baseline", tables }, ["0001_baseline"]);
  const [change] = migration?.changes.filter(({ id }) => id === "set_type:rows.x") ?? [];
  expect(`${change?.class}${change?.rewrites ? ", rewrites" : ""}`).toBe(verdict);
  if (why === undefined) expect(change?.why).toBeUndefined();
  else expect(change?.why).toMatch(why);
});
