import { expect, test } from "vitest";
import type { FieldDefinition, ServiceDefinition } from "#generator/definition/definition";
import { tableKeyName } from "#generator/definition/names";
import { planMigration } from "#generator/migrations/plan";
import type { Snapshot } from "#generator/migrations/schema";
import { differenceLines, migrate, migrateDown, verifyDatabase } from "#runtime/migrations/runner/index";
import type { Migration } from "#vocabulary/migrations/migration-steps";
import { testDatabase } from "../../support/database.ts";
import { silent } from "../../support/silent-log.ts";
import { field, model, service } from "../support/definitions.ts";

interface Shop {
  readonly writers?: string;
  readonly ids?: "integer" | "uuid";
  readonly softDelete?: boolean;
  readonly title?: string;
  readonly fields?: readonly FieldDefinition[];
}

/** Authors, under the given name, and their books. */
function shop({
  writers = "authors",
  ids = "integer",
  softDelete = false,
  title = "title",
  fields = [],
}: Shop) {
  const key = (name: string, columns: string[], suffix: "key" | "idx") => ({
    name: tableKeyName([name, ...columns], suffix),
    fields: columns,
  });
  return service(
    model(writers, {
      idType: ids,
      renamedFrom: writers === "authors" ? null : "authors",
      softDelete,
      fields: [field("email", { nullable: false, required: true })],
      uniqueKeys: [key(writers, ["email"], "key")],
    }),
    model("books", {
      softDelete,
      fields: [
        field(title, { renamedFrom: title === "title" ? null : "title", default: "it's new" }),
        field("author_id", {
          kind: ids === "uuid" ? "uuid" : "bigint",
          foreignKey: {
            name: tableKeyName(["books", "author_id"], "fkey"),
            model: writers,
            table: writers,
            column: "id",
            onDelete: "cascade",
          },
        }),
        ...fields,
      ],
      uniqueKeys: [key("books", [title, "author_id"], "key")],
      indexes: [key("books", ["author_id"], "idx")],
    }),
  );
}

const status = (values: string[], maxLength: number) => [
  field("status", { enum: values, maxLength, nullable: false, required: true, default: "draft" }),
];

const stages: readonly ServiceDefinition[] = [
  shop({}),
  shop({ writers: "Writers", title: "order" }),
  shop({ writers: "Writers", title: "order", ids: "uuid" }),
  shop({ writers: "Writers", title: "order", ids: "uuid", softDelete: true }),
  shop({ writers: "Writers", title: "order", ids: "uuid", softDelete: true, fields: status(["draft"], 20) }),
  shop({ writers: "Writers", title: "order", ids: "uuid", fields: status(["draft", "it's out"], 40) }),
  shop({ writers: "Writers", title: "order", ids: "integer" }),
];

test("verify finds no differences after any migration of tables in use, up or down", async () => {
  const { url, query } = await testDatabase();
  const migrations = planned(stages);
  expect(migrations).toHaveLength(stages.length);
  const verify = async () => {
    const { differences, notes } = await verifyDatabase({ url, migrations, log: silent });
    return differenceLines([...differences, ...notes]);
  };
  for (const { name } of migrations) {
    await migrate({ url, migrations, to: name, log: silent });
    expect(await verify(), name).toEqual([]);
    if (name === migrations[0]?.name) await query(rows);
  }
  for (const { name } of migrations.slice(0, -1).reverse()) {
    await migrateDown({ url, migrations, to: name, acceptDataLoss: true, log: silent });
    expect(await verify(), `back to ${name}`).toEqual([]);
  }
  expect(await query("SELECT count(*)::int AS books FROM books JOIN authors a ON a.id = author_id")).toEqual([
    { books: 1 },
  ]);
});

const rows = `INSERT INTO authors (email) VALUES ('a@example.com');
  INSERT INTO books (author_id) SELECT id FROM authors`;

function planned(definitions: readonly ServiceDefinition[]): Migration[] {
  const migrations: Migration[] = [];
  let before: Snapshot = { migration: null, tables: [] };
  for (const definition of definitions) {
    const { migration, after } = planMigration(
      definition,
      before,
      migrations.map(({ name }) => name),
    );
    if (migration === null) break;
    const { name, parent, changes, down } = migration;
    migrations.push({ name, parent, up: changes.map(({ step }) => step), down });
    before = after;
  }
  return migrations;
}
