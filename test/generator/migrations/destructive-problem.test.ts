import { expect, test } from "vitest";
import type { ModelDefinition } from "#generator/definition/definition";
import { planMigration, unaccepted } from "#generator/migrations/plan";
import { destructiveProblem } from "#generator/migrations/problems/step-problems";
import type { Table } from "#generator/migrations/schema";
import { tablesOf } from "#generator/migrations/snapshot";
import type { CheckCondition } from "#vocabulary/conditions/check-tree";
import type { Column } from "#vocabulary/migrations/migration-steps";
import { field, model, service } from "../support/definitions.ts";

const books = (...fields: ModelDefinition["fields"]) => model("books", { fields });
const keyed = (fields: readonly string[], parts: Partial<ModelDefinition> = {}) =>
  model("books", { fields: [field("a"), field("b")], uniqueKeys: [{ name: "books_key", fields }], ...parts });
const checked = (fields: ModelDefinition["fields"], condition: CheckCondition) => {
  const check = { name: "c", constraint: "books_01_c_check", text: "", field: "a", message: "No." };
  return model("books", { fields, checks: [{ ...check, condition }] });
};
/** Of a step that removes what statements of older code name. */
const older = "; running older instances fail where they use it, until they are replaced";
const required = { required: true, nullable: false } as const;
const reference = field("a", {
  kind: "bigint",
  foreignKey: { name: "books_a_fkey", model: "shops", table: "shops", column: "id", onDelete: "restrict" },
});

/** The run's message on a change: its effect, and the safe sequence. */
function details(before: readonly ModelDefinition[], after: readonly ModelDefinition[]): string {
  return detailsOf(tablesOf(service(...before)), after);
}

function detailsOf(tables: readonly Table[], after: readonly ModelDefinition[]): string {
  const snapshot = { migration: "0001_initial", tables };
  const plan = planMigration(service(...after), snapshot, ["0001_initial"]);
  if (plan.migration === null) throw new Error("nothing changes");
  return destructiveProblem(unaccepted(plan, []), plan.migration, "npm run generate").details;
}

type Models = readonly ModelDefinition[];

// biome-ignore format: one case a line
const cases: readonly [title: string, before: Models, after: Models, lines: readonly string[]][] = [
  ["text to integer", [books(field("a", { kind: "text" }))], [books(field("a", { kind: "integer" }))], [
    `  set_type:books.a: fails where a value is not a valid integer; rewrites the whole table, and locks it meanwhile${older}`,
    "    safely:", "    1. add a field of the new type next to it, deploy, and copy what fits", "    2. remove the old field",
    "    3. give the new one its name with renamed_from",
  ]],
  ["a shorter string", [books(field("a", { maxLength: 20 }))], [books(field("a", { maxLength: 5 }))], [
    "  set_type:books.a: cuts values that are longer than 5 characters; rewrites the whole table, and locks it meanwhile",
    "    safely:",
    '    1. find them: SELECT id, "a" FROM "books" WHERE length("a"::text) > 5',
    "    2. shorten them, then make the field shorter",
  ]],
  ["float to integer", [books(field("a", { kind: "float" }))], [books(field("a", { kind: "integer" }))], [
    "  set_type:books.a: rounds to whole numbers, and fails on those over 2147483647; rewrites the whole table, and locks it meanwhile",
  ]],
  ["a required field without a default", [books()], [books(field("a", required))], [
    `  add_column:books.a: fails on a table that has rows, since they have no value for it${older}`,
    "    safely:", "    1. add the field without required and deploy; with a default, no further step is needed",
    '    2. fill it: UPDATE "books" SET "a" = … WHERE "a" IS NULL', "    3. make it required",
  ]],
  ["a field becomes required", [books(field("a"))], [books(field("a", required))], [
    "  set_nullable:books.a: fails where a is null", "    safely:", "    1. give the field a default, and deploy: new rows have a value",
    '    2. fill the others: UPDATE "books" SET "a" = … WHERE "a" IS NULL', "    3. make it required",
  ]],
  [
    "a unique key among live rows",
    [keyed(["a", "b"], { uniqueKeys: [], softDelete: true })],
    [keyed(["a", "b"], { softDelete: true })],
    [
      "  add_index:books.books_key: fails where rows have the same a and b",
      "    safely:",
      '    1. find them: SELECT "a", "b", count(*) FROM "books" WHERE deleted_at IS NULL GROUP BY "a", "b" HAVING count(*) > 1',
      "    2. make them differ, then add the unique key",
    ],
  ],
  ["a foreign key", [model("shops"), books(field("a", { kind: "bigint" }))], [model("shops"), books(reference)], [
    "  add_foreign_key:books.books_a_fkey: fails where a has a value that no row of shops has",
    "    safely:",
    '    1. find them: SELECT id, "a" FROM "books" WHERE "a" NOT IN (SELECT "id" FROM "shops")',
    "    2. change or empty them, then add the relation",
  ]],
  ["an enum with fewer values", [books(field("a", { enum: ["x", "y", "it's"] }))], [books(field("a", { enum: ["x", "it's"] }))], [
    "  add_check:books.books_a_check: fails where a is not one of x, it's", "    safely:",
    `    1. change those rows: UPDATE "books" SET "a" = … WHERE "a" NOT IN ('x', 'it''s')`, "    2. then change the enum",
  ]],
  ["a check", [books(field("a"), field("b"))], [checked([field("a"), field("b")], { op: "ne", field: "a", value: "it's" })], [
    "  add_check:books.books_01_c_check: fails where rows break it", "    safely:",
    `    1. find them: SELECT * FROM "books" WHERE NOT ("a" <> 'it''s')`, "    2. change those rows, then add the check",
  ]],
  [
    "another check, over a field with a new name, in a renamed model: the statement says the former names",
    [checked([field("a"), field("b")], { op: "ne", field: "a", value: { field: "b" } })],
    [{ ...checked([field("d", { renamedFrom: "a" }), field("b")], { op: "eq", field: "d", value: { field: "b" } }),
      ...{ key: "novels", table: "novels", renamedFrom: "books" } }],
    [
      "  add_check:novels.books_01_c_check: fails where rows break it", "    safely:",
      `    1. find them: SELECT * FROM "books" WHERE NOT ("a" = "b")`, "    2. change those rows, then add the check",
    ],
  ],
  [
    "a check over a new field with a default",
    [books(field("a"))],
    [checked([field("a"), field("b", { default: "x" })], { op: "ne", field: "a", value: { field: "b" } })],
    [
      "  add_check:books.books_01_c_check: fails where existing rows break the check with the initial value of b", "    safely:",
      "    1. add the fields without the check, and deploy", "    2. change the rows that break it, then add the check",
    ],
  ],
  ["no soft delete any more", [model("books", { softDelete: true })], [model("books")], [
    `  drop_column:books.deleted_at: deleted rows become visible again, since nothing marks them any more${older}`,
    "    safely:",
    '    1. delete them for good: DELETE FROM "books" WHERE deleted_at IS NOT NULL',
    "    2. turn soft_delete off, and accept this step",
  ]],
  ["a text becomes a password", [books(field("a", { kind: "text" }))], [books(field("a", { kind: "password" }))], [
    `  drop_column:books.a: drops the stored values: they are plain text, and a password is stored as a hash only${older}`,
    "    safely:",
    "    1. add a password field next to it, deploy, and have each value set again through the API",
    "    2. remove the old field, and accept its step",
  ]],
  ["a password becomes a text", [books(field("a", { kind: "password" }))], [books(field("a", { kind: "text" }))], [
    `  drop_column:books.a: drops the stored password hashes, which a field of another type would show to its readers${older}`,
    "    safely:",
    "    1. add the new field next to it, and deploy",
    "    2. remove the password, and accept its step",
  ]],
  ["a dropped field", [books(field("a"))], [books()], [
    `  drop_column:books.a: drops the column with all of its values${older}`,
    "    safely:",
    "    1. make the field optional, close it in access.fields (read and write: []), and deploy: no caller uses it any more",
    "    2. remove the field, accept this step, and migrate when no older instance runs",
  ]],
  ["a dropped model", [books()], [], [
    `  drop_table:books: drops the table with all of its rows${older}`,
    "    safely:",
    "    1. make the model internal, and deploy: no caller reads or writes books any more",
    "    2. remove the model, accept this step, and migrate when no older instance runs",
  ]],
  [
    "a shorter unique field of another name, in a renamed model: the statements say the former names",
    [books(field("a", { maxLength: 20 }))],
    [model("novels", { renamedFrom: "books", fields: [field("b", { maxLength: 5, renamedFrom: "a" })],
      uniqueKeys: [{ name: "novels_b_key", fields: ["b"] }] })],
    [
      "  set_type:novels.b: cuts values that are longer than 5 characters; rewrites the whole table, and locks it meanwhile",
      "    safely:", '    1. find them: SELECT id, "a" FROM "books" WHERE length("a"::text) > 5', "    2. shorten them, then make the field shorter",
      "  add_index:novels.novels_b_key: fails where rows have the same a", "    safely:",
      '    1. find them: SELECT "a", count(*) FROM "books" GROUP BY "a" HAVING count(*) > 1', "    2. make them differ, then add the unique key",
    ],
  ],
  [
    "a required field in a renamed model: the statement has the new names, which the first run gives",
    [books(field("a"))],
    [model("novels", { renamedFrom: "books", fields: [field("b", { ...required, renamedFrom: "a" })] })],
    [
      "  set_nullable:novels.b: fails where a is null", "    safely:", "    1. give the field a default, and deploy: new rows have a value",
      '    2. fill the others: UPDATE "novels" SET "b" = … WHERE "b" IS NULL', "    3. make it required",
    ],
  ],
  [
    "a new required field of a renamed model",
    [books()],
    [model("novels", { renamedFrom: "books", fields: [field("a", required)] })],
    [
      `  add_column:novels.a: fails on a table that has rows, since they have no value for it${older}`,
      "    safely:", "    1. add the field without required and deploy; with a default, no further step is needed",
      '    2. fill it: UPDATE "novels" SET "a" = … WHERE "a" IS NULL', "    3. make it required",
    ],
  ],
  [
    "a relation of a renamed model to another one that is renamed as well",
    [model("stores"), books(field("a", { kind: "bigint" }))],
    [model("shops", { renamedFrom: "stores" }), model("novels", { renamedFrom: "books", fields: [reference] })],
    [
      "  add_foreign_key:novels.books_a_fkey: fails where a has a value that no row of shops has",
      "    safely:",
      '    1. find them: SELECT id, "a" FROM "books" WHERE "a" NOT IN (SELECT "id" FROM "stores")',
      "    2. change or empty them, then add the relation",
    ],
  ],
  ["a relation to a model that is new", [books(field("a", { kind: "bigint" }))], [model("shops"), books(reference)], [
    "  add_foreign_key:books.books_a_fkey: fails where a has a value that no row of shops has", "    safely:",
    '    1. find them: SELECT id, "a" FROM "books" WHERE "a" IS NOT NULL', "    2. change or empty them, then add the relation",
  ]],
  [
    "a unique key, where no row was ever marked as deleted",
    [keyed(["a", "b"], { uniqueKeys: [] })],
    [keyed(["a", "b"], { softDelete: true })],
    [
      "  add_index:books.books_key: fails where rows have the same a and b",
      "    safely:",
      '    1. find them: SELECT "a", "b", count(*) FROM "books" GROUP BY "a", "b" HAVING count(*) > 1',
      "    2. make them differ, then add the unique key",
    ],
  ],
  [
    "a unique key over a new field with a default",
    [books()],
    [model("books", { fields: [field("a", { default: "x" })], uniqueKeys: [{ name: "books_key", fields: ["a"] }] })],
    [
      "  add_index:books.books_key: fails where rows have the same a", "    safely:",
      "    1. add the field without the unique key, and deploy", "    2. make the values differ, then add the key",
    ],
  ],
  ["another id", [books()], [model("books", { idType: "uuid" })], [
    `  set_id_type:books: every row of books gets a new id; ids and links that callers have stored become invalid; rewrites the whole table, and locks it meanwhile${older}`,
    "    safely:",
    "    1. add a field such as former_id, deploy, and copy the old ids into it, so that callers can look up rows by their old id",
    "    2. change id_type, and accept this step",
  ]],
];

test("statements after a migration that gives names say that it comes first", () => {
  const snapshot = {
    migration: "0002_rename_users_to_app_users",
    tables: tablesOf(service(books(field("a")))),
  };
  const plan = planMigration(service(books(field("a", required))), snapshot, [
    "0001_baseline",
    snapshot.migration,
  ]);
  if (plan.migration === null) throw new Error("nothing changes");
  expect(destructiveProblem(unaccepted(plan, []), plan.migration, "").details).toContain(
    "Run the statements above after 0002_rename_users_to_app_users is applied (npm run migrate)",
  );
});

test.each(cases)("%s: what will happen, and the safe sequence", (_, before, after, lines) => {
  const text = details(before, after);
  expect(text.split("\n").slice(0, lines.length)).toEqual(lines);
  if (lines.length > 1) expect(text.trimEnd().split("\n")).toHaveLength(lines.length);
});

const adoptedTime = (parts: Partial<Column>): Table[] => {
  const [table] = tablesOf(service(model("accounts", { table: "Customer Accounts" })));
  if (table === undefined) throw new Error("no table");
  const columns = table.columns.map((column) =>
    column.name === "created_at"
      ? { name: column.name, type: column.type, nullable: false, ...parts }
      : column,
  );
  return [{ ...table, columns }];
};

// biome-ignore format: one case a line
test.each<[string, Partial<Column>, readonly string[]]>([
  ["may be null", { nullable: true }, [
    '    1. fill it by SQL: UPDATE "Customer Accounts" SET "created_at" = now() WHERE "created_at" IS NULL',
    "    2. accept this step, and deploy before new rows without a value are created",
  ]],
  ["is a text", { type: "text" },
    ['    1. by SQL, change the values of "Customer Accounts"."created_at" that are not a valid timestamptz(3)', "    2. accept this step"]],
  ["has no time zone", { type: "timestamp" }, ["    1. copy the values that you need to your own table, by SQL", "    2. accept this step"]],
])("a column of the runtime that %s: no step asks for a field of its name", (_, parts, lines) => {
  const text = detailsOf(adoptedTime(parts), [model("accounts", { table: "Customer_Accounts" })]);
  expect(text.trimEnd().split("\n").slice(2)).toEqual(lines);
});
