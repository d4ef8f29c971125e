import { expect, test } from "vitest";
import { readHistory } from "../../../generator/migrations/history.ts";
import { tablesOf } from "../../../generator/migrations/snapshot.ts";
import { field, model, service } from "../support/definitions.ts";

const first = "migrations/0001_initial.ts";
const schemaFile = "migrations/schema.json";
const tables = tablesOf(service(model("books", { fields: [field("state", { enum: ["a"] })] })));
const schema = JSON.stringify({ migration: "0001_initial", tables });

function read(files: Readonly<Record<string, string>>, recorded: readonly string[] = []) {
  return readHistory(new Map(Object.entries(files)), recorded);
}

test("a new folder has no history, and a folder with a migration has its tables", () => {
  const nothing = { names: [], snapshot: { migration: null, tables: [] } };
  expect(read({})).toEqual(nothing);
  expect(read({ [schemaFile]: JSON.stringify(nothing.snapshot) })).toEqual(nothing);
  expect(read({ [first]: "", [schemaFile]: schema }, [first])).toEqual({
    names: ["0001_initial"],
    snapshot: { migration: "0001_initial", tables: JSON.parse(JSON.stringify(tables)) },
  });
});

test("the only migration is gone, and the schema or the lock remembers it", () => {
  expect(read({ [schemaFile]: schema })).toEqual({
    problem: expect.stringContaining('belongs to "0001_initial", but the last migration is none'),
  });
  expect(read({}, [first])).toEqual({ problem: expect.stringContaining(`${first} is missing`) });
});

const damages: readonly [string, unknown][] = [
  ["tables", {}],
  ["a table", [null]],
  ["columns", [{ ...tables[0], columns: [null, 5] }]],
  ["a column without a type", [{ ...tables[0], columns: [{ name: "id", nullable: false }] }]],
  ["indexes", [{ ...tables[0], indexes: [{ name: "x", columns: [1], unique: true, live: false }] }]],
  ["foreign keys", [{ ...tables[0], foreignKeys: [{ name: "x", column: "y" }] }]],
  ["checks", [{ ...tables[0], checks: [{ name: "x", column: "y", oneOf: [null] }] }]],
];

test.each(damages)("a schema with damaged %s is a problem", (_, damaged) => {
  const text = JSON.stringify({ migration: "0001_initial", tables: damaged });
  expect(read({ [first]: "", [schemaFile]: text })).toEqual({
    problem: expect.stringContaining("missing or unreadable"),
  });
});
