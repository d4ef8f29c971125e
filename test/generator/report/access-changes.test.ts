import { expect, test } from "vitest";
import { printReport } from "../../../generator/report/print.ts";
import { project } from "../support/project.ts";

const everyone = [{ role: "*" }];
const admin = [{ role: "admin" }];
const fields = { title: { type: "string" }, cost: { type: "integer" } };

/** The report of the second of two runs. */
async function reportAfter(before: object, after: object) {
  const { generate, write } = project(before);
  await generate();
  write("models/models.json", after);
  const { report, problems } = await generate();
  if (report === null) throw new Error(JSON.stringify(problems));
  return report;
}

const readers = (model: string, role: string) =>
  ["fetch", "count", "exists"].map((operation) => ({ operation: `${model}.${operation}`, role }));

test("an internal model that gets routes", async () => {
  const report = await reportAfter(
    { books: { fields, internal: true, access: { fetch: everyone } } },
    { books: { fields, access: { fetch: everyone } } },
  );
  expect(report.widenedAccess).toEqual(readers("books", "*"));
});

test("soft delete together with rules for restore", async () => {
  const report = await reportAfter(
    { books: { fields, access: { fetch: admin } } },
    { books: { fields, soft_delete: true, access: { fetch: admin, restore: [{ role: "user" }] } } },
  );
  expect(report.widenedAccess).toEqual([{ operation: "books.restore", role: "user" }]);
});

test("a model with a new name and wider rules", async () => {
  const report = await reportAfter(
    { books: { fields, access: { fetch: admin, delete: admin } } },
    { titles: { renamed_from: "books", fields, access: { fetch: everyone, delete: admin } } },
  );
  expect(report.widenedAccess).toEqual(readers("titles", "*"));
});

test("fields that more roles read or write, under their new names too", async () => {
  const rules = { fetch: everyone, create: [{ role: "user" }] };
  const gate = { read: ["admin"], write: ["admin"] };
  const price = { price: { type: "integer", renamed_from: "cost" }, title: fields.title };
  const report = await reportAfter(
    { books: { fields, access: { ...rules, fields: { title: gate, cost: gate } } } },
    {
      books: {
        fields: price,
        access: { ...rules, fields: { title: { read: ["admin", "editor"] }, price: { write: ["admin"] } } },
      },
    },
  );
  expect(report.widenedAccess).toEqual([]);
  expect(report.widenedFields).toEqual([
    { field: "books.price", gate: "read", role: "*" },
    { field: "books.title", gate: "read", role: "editor" },
    { field: "books.title", gate: "write", role: "user" },
  ]);
  expect(printReport(report, "wrote")).toContain(
    "wider access\n  books.price can now be read by everybody\n  books.title can now be read by editor\n",
  );
});

test("a gate that goes with its field, and one that narrows, widen nothing", async () => {
  const access = { fetch: everyone, fields: { title: { read: ["admin", "user"] } } };
  const narrow = { fetch: everyone, fields: { title: { read: ["admin"] } } };
  const report = await reportAfter({ books: { fields, access } }, { books: { fields, access: narrow } });
  expect(report.widenedFields).toEqual([]);
  expect(report.widenedAccess).toEqual([]);
});
