import { expect, test } from "vitest";
import { parseMatrix } from "#generator/review/access/parse-matrix";
import { printMarkdown } from "#generator/review/markdown";
import { printReport } from "#generator/review/print-report";
import { project } from "../support/project.ts";

const staff = [{ role: "staff" }];
const access = {
  fetch: [{ role: "*" }, { role: "user" }],
  create: staff,
  update: [{ role: "user", condition: "title = 'x'" }, ...staff],
  destroy: [{ role: 'a "b"   fetch: c, d' }],
};
const books = { fields: { title: { type: "string", searchable: true } }, access };
const on = { name: "shop", modules: ["mcp"] };

/** A file of routes with a tool of each name: path and name. */
function routes(...tools: readonly string[]): string {
  const written = tools.map((tool) => {
    const [path, name] = tool.split(" ");
    const mcp = name === undefined ? "" : `mcp: { name: "${name}" }, `;
    return `defineRoute({ method: "POST", path: "${path}", access: ["staff", "signed_in"], answer: {}, ${mcp}handler: () => null })`;
  });
  return `import { defineRoute } from "kirak";\n\nexport default [\n  ${written.join(",\n  ")},\n];\n`;
}

/** The block of tools in the matrix of a generated project. */
function blockOf(matrix: string): string {
  return matrix.split("\n\n").find((block) => block.startsWith("mcp\n")) ?? "";
}

test("the matrix has a line for each model and each route with a tool, and the review reads it back", async () => {
  const models = {
    books: { ...books, mcp: ["destroy", "create", "upsert", "count", "update", "exists", "fetch", "delete"] },
    authors: { fields: books.fields, access: { $all: staff } },
    shelves: { fields: books.fields, access: { fetch: staff, search: staff, count: [] }, mcp: true },
    logs: { fields: { text: { type: "string" } }, access: { $all: staff }, mcp: true },
  };
  const { write, read, generate } = project(models, on);
  write(
    "models/routes/lend.ts",
    routes("/books/:id/return return_book", "/books/:id/lend lend_book", "/hidden"),
  );
  expect(await generate({ compile: true })).toMatchObject({ exitCode: 0, diagnostics: [] });
  const matrix = read("generated/access-matrix.txt");
  expect(`${blockOf(matrix)}\n`).toMatchInlineSnapshot(`
    "mcp
      books                            fetch, count, exists: *   create: staff   update, upsert: staff, user   delete: –   destroy: "a \\"b\\"   fetch: c, d"
      shelves                          fetch, search: staff   count: –
      logs                             fetch, count: staff
      POST /books/:id/lend             lend_book: signed_in
      POST /books/:id/return           return_book: signed_in

    "
  `);
  const ofBooks = ["fetch", "count", "exists", "create", "update", "upsert", "delete", "destroy"];
  expect([...parseMatrix(matrix).tools].sort()).toEqual(
    [
      ...ofBooks.map((name) => `books_${name}`),
      ...["shelves_fetch", "shelves_search", "shelves_count", "logs_fetch", "logs_count"],
      ...["lend_book", "return_book"],
    ].sort(),
  );
  expect([...parseMatrix(matrix).routes.keys()]).toEqual([
    "POST /books/:id/lend",
    "POST /books/:id/return",
    "POST /hidden",
  ]);
  expect(read("generated/models/books/routes.ts")).toContain(
    'mcp: ["fetch", "count", "exists", "create", "update", "upsert", "delete", "destroy"],',
  );
  expect(read("generated/models/logs/routes.ts")).toContain(
    'modelRoutes({ model, policy, validators, mcp: ["fetch", "count"] }, [',
  );
  expect(read("generated/models/authors/routes.ts")).not.toContain("mcp");
});

test("while the module is off, nothing is exposed", async () => {
  const { write, read, generate } = project({ books: { ...books, mcp: true } });
  write("models/routes/lend.ts", routes("/books/:id/lend lend_book"));
  const { diagnostics } = await generate();
  expect(diagnostics.map(({ code }) => code)).toEqual(["mcp-off", "mcp-off"]);
  expect(blockOf(read("generated/access-matrix.txt"))).toBe("");
  expect(read("generated/models/books/routes.ts")).not.toContain("mcp");
  const document = read("generated/openapi.json");
  write("models/manifest.json", { name: "fixture", modules: ["mcp"] });
  expect(await generate()).toMatchObject({ exitCode: 0, diagnostics: [] });
  expect(read("generated/openapi.json")).toBe(document);
});

test("the report names tools that were added or removed, which need no acknowledgement", async () => {
  const { write, generate } = project({ books: { ...books, mcp: ["fetch", "create"] } }, on);
  write("models/routes/lend.ts", routes("/books/:id/lend lend_book", "/books/:id/return"));
  await generate();
  write("models/models.json", { books: { ...books, mcp: ["fetch", "count"] } });
  write("models/routes/lend.ts", routes("/books/:id/lend", "/books/:id/return return_book"));
  const result = await generate();
  expect(result).toMatchObject({
    exitCode: 0,
    problems: [],
    report: { tools: { added: ["books_count", "return_book"], removed: ["books_create", "lend_book"] } },
  });
  const printed = result.report === null ? "" : printReport(result.report, "wrote");
  expect(printed).toMatchInlineSnapshot(`
    "tools added: books_count, return_book
    tools removed: books_create, lend_book
    wrote 3 files, 11 unchanged
    "
  `);
  expect(printMarkdown(result)).toMatchInlineSnapshot(`
    "## Generated changes

    ### Tools

    - added \`books_count\`
    - added \`return_book\`
    - removed \`books_create\`
    - removed \`lend_book\`

    Files: 3 to write, 0 to remove, 11 up to date.
    "
  `);
  write("models/manifest.json", { name: "shop" });
  const { report } = await generate();
  expect(report?.tools).toEqual({
    added: [],
    removed: ["books_fetch", "books_count", "return_book"],
    renamed: [],
  });
});

test("a model with the key mcp has no tools in its block", async () => {
  const named = { fields: books.fields, access: { fetch: [{ role: "create", condition: "title = 'x'" }] } };
  const { write, read, generate } = project({ mcp: named });
  await generate();
  const { models, tools } = parseMatrix(read("generated/access-matrix.txt"));
  expect(tools).toEqual(new Set());
  expect(models.get("mcp")?.operations.get("fetch")).toEqual(new Map([["create", ["title = 'x'"]]]));
  // The key becomes free for the tools.
  write("models/manifest.json", { name: "fixture", modules: ["mcp"] });
  write("models/models.json", { tools: { ...named, renamed_from: "mcp", mcp: ["fetch"] } });
  const { report, problems } = await generate();
  expect(problems).toEqual([]);
  expect(report).toMatchObject({ tools: { added: ["tools_fetch"] }, widenedAccess: [] });
});
