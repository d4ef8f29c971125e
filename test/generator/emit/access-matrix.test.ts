import { describe, expect, test } from "vitest";
import { definitionOf, matrixOf } from "../review/changes-between.ts";
import { project } from "../support/project.ts";

const title = { title: { type: "string" } };
const cost = { cost: { type: "integer" } };
const everybody = [{ role: "*" }];
const user = [{ role: "user" }];
const staff = [{ role: "staff" }];
const admin = [{ role: "admin" }];
const when = (condition: string, role: string | string[] = "user") => [{ role, condition }];

/** The block of a model, each part one blank from the next, without its name. */
async function blockOf(models: object, name = "books"): Promise<string[]> {
  const blocks = matrixOf(await definitionOf(models)).split("\n\n");
  const block = blocks.find((text) => text.startsWith(`${name}\n`)) ?? "";
  return block
    .split("\n")
    .slice(1)
    .map((line) => line.slice(2).replaceAll(/(?<=\S) {2,}/g, "  "));
}

/** The lines of the operations. */
async function operations(access: object, parts: object = {}): Promise<string[]> {
  const lines = await blockOf({ books: { fields: { ...title, ...cost }, access, ...parts } });
  return lines.slice(0, lines.indexOf("reads"));
}

/** The lines of a section. */
async function section(name: string, models: object, model = "books"): Promise<string[]> {
  const lines = await blockOf(models, model);
  const rest = lines.slice(lines.indexOf(name) + 1);
  const end = rest.findIndex((line) => !line.startsWith("  "));
  return (end === -1 ? rest : rest.slice(0, end)).map((line) => line.trimStart());
}

describe("operations", () => {
  const rest = (...names: string[]) => `denied to all  ${names.join(", ")}`;
  const writes = ["create", "update", "upsert", "delete", "destroy"];
  // biome-ignore format: one case a line
  test.each<[string, object, string[]]>([
    ["that no rule opens", {}, [rest("fetch", "search", "count", "exists", ...writes)]],
    ["with the same rules share a line", { fetch: user, create: user, destroy: user, exists: admin },
      ["fetch, count, create, destroy  user: all rows", "exists  admin: all rows", "upsert  as create and update", rest("search", "update", "delete")]],
    ["share it with the same rules in another order too", { fetch: [...user, ...when("cost = 1", "staff")], delete: [...when("cost = 1", "staff"), ...user] },
      ["fetch, count, exists, delete", "  user  all rows", "  staff  cost = 1", rest("search", "create", "update", "upsert", "destroy")]],
    ["have the roles with the same rows on one line", { fetch: [...everybody, ...when("cost = 1"), ...staff, ...admin] },
      ["fetch, count, exists", "  *, staff, admin  all rows", "  user  cost = 1", rest("search", ...writes)]],
    ["have a line for each rule of a role", { fetch: [...when("cost = 1", ["user", "staff"]), ...when("cost = 2")] },
      ["fetch, count, exists", "  user, staff  cost = 1", "  user  cost = 2", rest("search", ...writes)]],
    ["have one for equal rules of a role", { fetch: [...when("cost = 1"), ...when("(cost = 1)")] },
      ["fetch, count, exists  user: cost = 1", rest("search", ...writes)]],
    ["name the fields of a rule", { update: [{ role: ["user", "staff"], fields: ["title", "cost"] }, ...when("cost = 1", "staff")] },
      ["update", "  user, staff  all rows [fields: cost, title]", "  staff  cost = 1", "upsert  as create and update",
        rest("fetch", "search", "count", "exists", "create", "delete", "destroy")]],
    ["search as fetch", { fetch: when("cost = 1"), search: when("cost = 1") },
      ["fetch, count, exists  user: cost = 1", "search  as fetch", rest(...writes)]],
    ["upsert as create and update", { create: user, update: when("cost = 1") },
      ["create  user: all rows", "update  user: cost = 1", "upsert  as create and update",
        rest("fetch", "search", "count", "exists", "delete", "destroy")]],
    ["upsert as one of both, with the other denied", { create: user },
      ["create  user: all rows", "upsert  as create and update", rest("fetch", "search", "count", "exists", "update", "delete", "destroy")]],
    ["upsert with rules of its own", { create: user, update: user, upsert: when("cost = 1") },
      ["create, update  user: all rows", "upsert, new rows  user: cost = 1", "upsert, existing rows  user: cost = 1",
        rest("fetch", "search", "count", "exists", "delete", "destroy")]],
    ["upsert denied", { create: user, update: user, upsert: [] },
      ["create, update  user: all rows", rest("fetch", "search", "count", "exists", "upsert", "delete", "destroy")]],
  ])("%s", async (_, access, lines) => {
    expect(await operations(access)).toEqual(lines);
  });

  test("restore exists only with soft delete", async () => {
    const access = { fetch: user, restore: admin };
    expect((await operations(access)).join()).not.toContain("restore");
    expect(await operations(access, { soft_delete: true })).toContain("restore  admin: all rows");
  });

  test("none is denied: a dash", async () => {
    const access = Object.fromEntries(["fetch", "search", ...writes].map((name) => [name, user]));
    expect(await operations(access)).toContain("denied to all  –");
  });
});

describe("fields", () => {
  const books = (gates: object, access: object, parts: object = {}) => ({
    books: { fields: { ...title, ...cost }, access: { ...access, fields: gates }, ...parts },
  });
  const times = "created_at, id";
  // biome-ignore format: one case a line
  test.each<[string, object, object, string[], string[]]>([
    ["without gates", {}, { fetch: everybody, create: user }, ["*  all"], ["user  all"]],
    ["are listed once for all roles that reach rows", { cost: { read: ["admin"] } }, { fetch: user, delete: admin, create: [...user, ...staff] },
      [`user, staff, admin  ${times}, title, updated_at`, "admin  and cost"], ["user, staff  all"]],
    ["of a wider role are those of roles that it includes", { cost: { read: ["admin"] } }, { fetch: [...user, ...everybody], create: when("cost = 1", "signed_in") },
      [`*  ${times}, title, updated_at`, "admin  and cost"], ["signed_in  all"]],
    ["that others write", { cost: { write: ["admin"] } }, { fetch: everybody, update: user },
      [`*  cost, ${times}, title, updated_at`], ["user  all but cost", "admin  and cost"]],
    ["that no role writes", { cost: { write: [] } }, { fetch: everybody, update: user },
      [`*  cost, ${times}, title, updated_at`], ["user  all but cost"]],
    ["that no role writes, all of them", { cost: { write: [] }, title: { write: [] } }, { update: user },
      [`user  cost, ${times}, title, updated_at`], ["user  all but cost, title"]],
    ["that no role reads", { cost: { read: [] } }, { fetch: user, update: staff }, [`user, staff  ${times}, title, updated_at`, "no roles  cost"], ["staff  all"]],
    ["that all roles with rows pass, and later ones do not", { cost: { read: ["admin", "staff"], write: ["staff"] } }, { fetch: staff, update: staff },
      [`staff  cost, ${times}, title, updated_at`, "admin  and cost"], ["staff  all", "no further roles  cost"]],
    ["of roles that reach no rows", { cost: { read: ["admin"], write: ["admin"] } }, {},
      [`–  ${times}, title, updated_at`, "admin  and cost"], ["–  all but cost", "admin  and cost"]],
    ["with a gate for times", { created_at: { read: ["admin"] } }, { fetch: user },
      ["user  cost, id, title, updated_at", "admin  and created_at"], []],
    ["that everyone passes", { cost: { read: ["*", "admin"] } }, { fetch: user }, [`user  cost, ${times}, title, updated_at`], []],
  ])("%s", async (_, gates, access, reads, written) => {
    const models = books(gates, access);
    expect(await section("reads", models)).toEqual(reads);
    expect((await blockOf(models)).includes("writes") ? await section("writes", models) : []).toEqual(written);
  });

  test("a deleted row has its time; a password is written and never read", async () => {
    const models = {
      books: {
        fields: { key: { type: "password" } },
        access: { fetch: user, create: user },
        soft_delete: true,
      },
    };
    expect(await section("reads", models)).toEqual([
      "user  created_at, deleted_at, id, updated_at",
      "no roles  key",
    ]);
    expect(await section("writes", models)).toEqual(["user  all"]);
  });

  test("a new one without a gate adds one name to one list of its block, or none", async () => {
    const added = async (gates: object) => {
      const before = books(gates, { fetch: everybody, create: [...staff, ...admin] });
      const lines = new Set(await blockOf(before));
      const { fields } = before.books;
      const after = { books: { ...before.books, fields: { ...fields, isbn: { type: "string" } } } };
      return (await blockOf(after)).filter((line) => !lines.has(line));
    };
    expect(await added({ cost: { read: ["staff"], write: [] } })).toEqual([
      "  *  created_at, id, isbn, title, updated_at",
    ]);
    expect(await added({})).toEqual([]);
  });

  test("an internal model has the relations that lead to it, and what joins show", async () => {
    const models = {
      books: {
        fields: { author_id: { type: "belongs_to", relationship: { model: "authors" } } },
        access: { fetch: user },
      },
      authors: {
        fields: { ...title, ...cost },
        internal: true,
        access: { fields: { cost: { read: ["admin"] } } },
      },
    };
    expect(await blockOf(models, "authors")).toEqual([
      "internal, joined by  books.author_id",
      "reads",
      `  *  ${times}, title, updated_at`,
      "  admin  and cost",
    ]);
  });
});

describe("presets and paths", () => {
  const author = { author_id: { type: "belongs_to", relationship: { model: "authors" } } };
  const country = { country_id: { type: "belongs_to", relationship: { model: "countries" } } };
  const shop = (condition: string, authors: object = country) => ({
    books: {
      fields: { ...title, ...author },
      access: { fetch: when(condition), update: when(`NOT (${condition})`) },
    },
    authors: { fields: authors, soft_delete: true },
    countries: { fields: title },
  });

  test("a preset is with its operation", async () => {
    const books = { fields: { owner: { type: "integer", preset: "{user_id}" } }, access: { create: user } };
    expect(await section("presets", { books })).toEqual(["owner  {user_id} on create"]);
  });

  // biome-ignore format: one case a line
  test.each<[string, string, object, string[]]>([
    ["is there once, for live rows", "author.country.title = 'x'", country, ["author.country  books.author_id > authors.id (live) > countries.id"]],
    ["names a column that its relation does not tell", "author.country.title = 'x'", { country: country.country_id },
      ["author.country  books.author_id > authors.id (live), authors.country > countries.id"]],
    ["goes back", "EXISTS (author.books WHERE title = this.title)", { books: { type: "has_many", relationship: { model: "books", foreign_key: "author_id" } } },
      ["author.books  books.author_id > authors.id (live) < books.author_id"]],
    ["is not in texts", "title = 'author.country'", country, []],
  ])("a path %s", async (_, condition, authors, paths) => {
    expect(await section("paths", shop(condition, authors))).toEqual(paths);
  });
});

describe("named conditions", () => {
  const models = {
    $conditions: {
      reader: { on: "shops", condition: "owner() OR title = 'open'" },
      owner: { on: "shops", condition: "EXISTS (books WHERE title = 'x')", description: "Owns it." },
    },
    books: {
      fields: { ...title, shop_id: { type: "belongs_to", relationship: { model: "shops" } } },
      access: { fetch: when("reader(shop) AND title = 'a'") },
    },
    shops: {
      fields: {
        ...title,
        books: { type: "has_many", relationship: { model: "books", foreign_key: "shop_id" } },
      },
      access: { fetch: user },
    },
  };

  test("are at the top, each once, as written, and rules call them", async () => {
    const text = matrixOf(await definitionOf(models));
    expect(text.split("\n\n")[0]).toBe(
      [
        "conditions",
        "  reader(shops)                    owner() OR title = 'open'",
        "  owner(shops)                     EXISTS (books WHERE title = 'x')",
      ].join("\n"),
    );
    expect((await blockOf(models))[0]).toBe("fetch, count, exists  user: reader(shop) AND title = 'a'");
  });

  test("have their paths in the model that they are about, and in those that call them", async () => {
    expect(await section("paths", models, "shops")).toEqual(["books  shops.id < books.shop_id"]);
    expect(await section("paths", models)).toEqual([
      "shop  books.shop_id > shops.id",
      "shop.books  books.shop_id > shops.id < books.shop_id",
    ]);
  });
});

test("long lines are broken at a comma, AND or OR, and never within quotes", async () => {
  const word = (letter: string, length: number) => letter.repeat(length);
  const quoted = `'${word("x", 90)}, AND ${word("y", 90)}'`;
  const condition = `title = '${word("a", 60)}' AND title = '${word("b", 60)}' OR title IN ('${word("c", 60)}', '${word("d", 60)}', ${quoted})`;
  const names = Array.from({ length: 12 }, (_, index) => `${word("n", 20)}_${index}`);
  const fields = {
    ...title,
    ...Object.fromEntries(names.map((name) => [name, { type: "string" }])),
    ...cost,
  };
  const access = { fetch: [...when(condition), ...staff], fields: { cost: { read: ["staff"] } } };
  const text = matrixOf(await definitionOf({ books: { fields, access } }));
  const lines = text.split("\n");
  expect(lines.filter((line) => line.length > 160)).toEqual([`        ${quoted})`]);
  expect(lines.slice(0, 7)).toEqual([
    "books",
    "  fetch, count, exists",
    `    user                           (title = '${word("a", 60)}'`,
    `        AND title = '${word("b", 60)}') OR title IN ('${word("c", 60)}',`,
    `        '${word("d", 60)}',`,
    `        ${quoted})`,
    "    staff                          all rows",
  ]);
});

test("custom routes and jobs with a schedule are at the end", async () => {
  const { write, generate, read } = project({ books: { fields: title, access: { fetch: user } } });
  const route = (method: string, path: string, roles: string) =>
    `defineRoute({ method: "${method}", path: "${path}", access: ${roles}, answer: {}, handler: () => null })`;
  write(
    "models/routes/loans.ts",
    `import { defineRoute } from "kirak";\n\nexport default [${route("POST", "/loans", '["user", "a b"]')}, ${route("GET", "/loans", '["*"]')}];\n`,
  );
  const job = (parts: string) =>
    `import { defineJob } from "kirak";\n\nconst hour = "3";\nexport default defineJob({ ${parts}run: () => {} });\n`;
  write("models/jobs/nightly.ts", job('cron: "15 3 * * *", '));
  write("models/jobs/computed.ts", job('cron: "15 ".concat(hour, " * * *"), '));
  write("models/jobs/queued.ts", job(""));
  expect(await generate()).toMatchObject({ exitCode: 0 });
  const text = read("generated/access-matrix.txt");
  expect(text.split("\n")[0]).toBe("# Made by Kirak. Do not edit.");
  expect(text.slice(text.indexOf("custom routes"))).toBe(
    `custom routes
  GET /loans                       *: models/routes/loans.ts
  POST /loans                      user, "a b": models/routes/loans.ts

scheduled jobs
  computed                         computed: models/jobs/computed.ts
  nightly                          15 3 * * *: models/jobs/nightly.ts
`,
  );
});
