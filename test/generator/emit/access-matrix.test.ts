import { describe, expect, test } from "vitest";
import { parseMatrix } from "#generator/review/access/access-matrix";
import { readByEverybody } from "#generator/review/access/new-reach";
import { definitionOf, matrixOf } from "../review/changes-between.ts";

const title = { title: { type: "string" } };
const everybody = [{ role: "*" }];

/** The lines of the matrix, each part one blank from the next. */
async function linesOf(models: object): Promise<string[]> {
  return matrixOf(await definitionOf(models))
    .split("\n")
    .map((line) => line.replaceAll(/ {2,}/g, "  "));
}

async function lineOf(models: object, start: string): Promise<string | undefined> {
  return (await linesOf(models)).find((line) => line.startsWith(start));
}

describe("fields", () => {
  const gated = (access: object, more: object = {}) => ({
    books: {
      fields: { ...title, cost: { type: "integer" }, ...more },
      access: { fetch: everybody, create: [{ role: "staff" }], ...access },
    },
  });
  const cost = { fields: { cost: { read: ["admin"], write: ["staff", "admin"] } } };

  test("of a model without gates are all of them", async () => {
    expect(await lineOf(gated({}), "books.fetch")).toBe("books.fetch  *  all rows  reads all");
    expect(await lineOf(gated({}), "books.create")).toBe(
      "books.create  staff  all rows  reads all, writes all",
    );
  });

  test("of a model with gates are named in the line of each role", async () => {
    const lines = await linesOf(gated(cost));
    expect(lines.filter((line) => /^books\.(fetch|create)/.test(line))).toEqual([
      "books.fetch  *  all rows  reads title",
      "books.fetch  admin  all rows  reads cost, title",
      "books.create  staff  all rows  reads title, writes cost, title",
    ]);
  });

  test("a new one shows under each role that gets it, and under no other", async () => {
    const isbn = { isbn: { type: "string" } };
    const closed = { fields: { ...cost.fields, isbn: { read: ["admin"], write: [] } } };
    const changed = async (access: object) => {
      const before = new Set(await linesOf(gated(cost)));
      return (await linesOf(gated(access, isbn))).filter((line) => !before.has(line));
    };
    expect((await changed(cost)).filter((line) => /^books\.(fetch|create)/.test(line))).toEqual([
      "books.fetch  *  all rows  reads isbn, title",
      "books.fetch  admin  all rows  reads cost, isbn, title",
      "books.create  staff  all rows  reads isbn, title, writes cost, isbn, title",
    ]);
    expect((await changed(closed)).filter((line) => /^books\.(fetch|create)/.test(line))).toEqual([
      "books.fetch  admin  all rows  reads cost, isbn, title",
    ]);
  });

  test("no role reads a password, which counts as a gate", async () => {
    expect(await lineOf(gated({}, { key: { type: "password" } }), "books.create")).toBe(
      "books.create  staff  all rows  reads cost, title, writes cost, key, title",
    );
  });

  test("id and times are named where they have a gate", async () => {
    const access = { fields: { created_at: { read: ["admin"] } } };
    expect((await linesOf(gated(access))).filter((line) => line.startsWith("books.fetch"))).toEqual([
      "books.fetch  *  all rows  reads cost, title",
      "books.fetch  admin  all rows  reads cost, created_at, title",
    ]);
  });

  test("signed-in users have everything that is open to signed_in, and guests do not", async () => {
    // biome-ignore format: one case a line
    const access = { fetch: [{ role: "signed_in", condition: "title = 'a'" }, { role: "*", condition: "cost = 1" }, { role: "guest" }],
      search: [{ role: "signed_in" }],
      fields: { cost: { read: ["signed_in"] }, title: { read: ["admin", "guest", "signed_in"] } },
    };
    const lines = await linesOf(gated(access));
    expect(lines.filter((line) => /^books\.(fetch|search)/.test(line))).toEqual([
      "books.fetch  *  cost = 1  reads nothing",
      "books.fetch  guest  all rows  reads title",
      "books.fetch  signed_in  title = 'a' OR cost = 1  reads cost, title",
      "books.search  signed_in  all rows  reads cost, title",
    ]);
    const staff = { ...access, fetch: [...access.fetch, { role: "staff", condition: "title = 'b'" }] };
    expect(await lineOf(gated(staff), "books.fetch  staff")).toBe(
      "books.fetch  staff  title = 'a' OR cost = 1 OR title = 'b'  reads cost, title",
    );
  });

  test("a role that sees more than all who signed in has a line, where these may come", async () => {
    const access = { search: [{ role: "signed_in" }], ...cost };
    const lines = await linesOf(gated(access));
    expect(lines.filter((line) => line.startsWith("books.search"))).toEqual([
      "books.search  admin  all rows  reads cost, title",
      "books.search  signed_in  all rows  reads title",
    ]);
  });

  test("are parsed back for all names", async () => {
    const names = Object.fromEntries(
      ["all", "nothing", "reads", "writes", "but"].map((name) => [name, { type: "string" }]),
    );
    const closed = ["title", "cost", "reads", "writes", "but", "all", "nothing"];
    for (const open of [[], ["all"], ["nothing"], ["reads", "writes"], ["all", "but", "title"]]) {
      const fields = Object.fromEntries(
        closed.filter((name) => !open.includes(name)).map((name) => [name, { read: [], write: [] }]),
      );
      const matrix = parseMatrix(matrixOf(await definitionOf(gated({ fields }, names))));
      const roles = [...(matrix.get("books")?.operations ?? [])].flatMap(([name, reaches]) =>
        [...reaches].map(([role, { rows }]) => `${name} ${role} ${rows}`),
      );
      // biome-ignore format: one case a line
      expect(roles).toEqual([
        "fetch * all rows", "count * all rows", "exists * all rows", "create staff all rows", "upsert:insert staff all rows",
      ]);
      const read = readByEverybody(
        closed.map((name) => `books.${name}`),
        matrix,
      );
      expect(read.sort()).toEqual(open.map((name) => `books.${name}`).sort());
    }
  });
});

describe("paths", () => {
  const key = (model: string, parts: object = {}) => ({
    type: "integer",
    foreign_key: true,
    relationship: { model, foreign_key: "id", ...parts },
  });
  const shop = (condition: string, parts: object = {}) => ({
    books: {
      fields: { ...title, author_id: key("authors") },
      access: {
        fetch: [{ role: "user", condition }],
        update: [{ role: "user", condition: `NOT (${condition})` }],
      },
    },
    authors: { fields: { name: { type: "string" } }, ...parts },
  });

  test("that rules go stand with where they lead, once", async () => {
    const lines = await linesOf(shop("author.name = 'x'"));
    expect(lines.filter((line) => line.startsWith("books")).slice(0, 2)).toEqual([
      "books  path author: books.author_id > authors.id",
      "books.fetch  user  author.name = 'x'  reads all",
    ]);
  });

  test("mark paths that count only live rows", async () => {
    expect(await lineOf(shop("author_id.name IS NULL", { soft_delete: true }), "books ")).toBe(
      "books  path author: books.author_id > authors.id (live)",
    );
  });

  test("that no rule uses have no line", async () => {
    expect((await linesOf(shop("title = 'author.name'"))).filter((line) => line.includes(" path "))).toEqual(
      [],
    );
  });
});
