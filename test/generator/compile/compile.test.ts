import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { compile } from "#generator/compile/compile-check";
import { project } from "../support/project.ts";

const models = { books: { fields: { title: { type: "string" } }, access: { fetch: [{ role: "*" }] } } };
const hooks = "models/hooks/books.ts";
const typed = 'import type { BooksHooks } from "../../generated/models/books/model.ts";\n';

test("errors in a hook file are the user's, with their place, and nothing is written", async () => {
  const { generate, write, files } = project(models);
  write(
    hooks,
    `${typed}export const before_create: BooksHooks["before_create"] = (book) => {\n  book.titel = "x";\n};\n`,
  );
  const { exitCode, diagnostics } = await generate({ compile: true });
  expect(exitCode).toBe(2);
  expect(diagnostics).toMatchObject([
    { code: "hook-does-not-compile", file: hooks, line: 3, column: 8, length: 5 },
  ]);
  expect(files("generated")).toEqual({});
});

test("a hook whose type does not match its name is shown at its place", async () => {
  const { generate, write } = project(models);
  write(hooks, "const note = 3;\nexport const before_fetch = (value: string) => value;\n");
  const { exitCode, diagnostics } = await generate({ compile: true });
  expect(exitCode).toBe(2);
  expect(diagnostics).toMatchObject([{ code: "hook-does-not-compile", file: hooks, line: 2, column: 14 }]);
  expect(diagnostics[0]?.message).toMatch(/^Types of property 'before_fetch' are incompatible/);
});

test("a hook next to an output folder of its own is shown at its place, and once", async () => {
  const { generate, write } = project(models);
  const nested = { models: "backend/models/models.json", out: "backend/generated", compile: true };
  const file = "backend/models/hooks/books.ts";
  write(nested.models, models);
  write(file, "export const before_create = 5;\n");
  expect((await generate(nested)).diagnostics).toMatchObject([
    { code: "hook-does-not-compile", file, line: 1 },
  ]);
  write(file, "export const before_craete = () => {};\n");
  expect((await generate(nested)).diagnostics).toMatchObject([{ code: "unknown-hook", file, line: 1 }]);
});

test("a hook that is misspelt or mistyped after a good run stops the next one, and a check", async () => {
  const { generate, write } = project(models);
  write(hooks, `${typed}export const before_create: BooksHooks["before_create"] = () => {};\n`);
  expect((await generate({ compile: true })).exitCode).toBe(0);
  for (const [code, text] of [
    ["unknown-hook", "export const before_creat = () => {};\n"],
    ["hook-does-not-compile", "export const before_fetch = (value: string) => value;\n"],
  ] as const) {
    write(hooks, text);
    for (const mode of ["write", "check"] as const)
      expect(await generate({ compile: true, mode })).toMatchObject({
        exitCode: 2,
        diagnostics: [{ code, file: hooks }],
      });
  }
});

test("a hook with a misspelt type, name, both or module is reported once, in words", async () => {
  const hook = (model: string, name: string, type: string) =>
    `import type { B${model.slice(1)}Hooks } from "../../generated/models/${model}/model.ts";\nexport const ${name}: B${model.slice(1)}Hooks["${type}"] = (book) => book;\n`;
  const cases = [
    { model: "books", column: 40, text: hook("books", "before_create", "before_craete") },
    { model: "booklets", column: 14, text: hook("booklets", "before_craete", "before_craete") },
    { model: "brochures", column: 14, text: hook("brochures", "before_craete", "before_create") },
    { model: "bundles", column: 1, text: '\n\nexport * from "../shop/books.ts";\n' },
  ];
  const { generate, write } = project(Object.fromEntries(cases.map(({ model }) => [model, models.books])));
  write("models/shop/books.ts", "export const before_craete = () => {};\n");
  for (const { model, text } of cases) write(`models/hooks/${model}.ts`, text);
  const { exitCode, diagnostics } = await generate({ compile: true });
  expect(exitCode).toBe(2);
  expect(diagnostics).toHaveLength(cases.length);
  for (const { model, column } of cases)
    expect(diagnostics).toContainEqual(
      expect.objectContaining({
        ...{ code: "unknown-hook", file: `models/hooks/${model}.ts`, column },
        message: `"before_craete" is not a hook of model "${model}"`,
        hint: 'did you mean "before_create"?',
      }),
    );
});

const authFile = "models/hooks/auth.ts";
const typedBy = (from: string) => `import type { UsersAuthHooks } from "${from}";\n`;

// biome-ignore format: one case a line
test.each([
  ["misspelt", "unknown-hook", "export const after_logn = () => {};\n", 1],
  ["of a model", "unknown-hook", "export const before_create = () => {};\n", 1],
  ["mistyped", "hook-does-not-compile", "export const after_login = (value: string) => value;\n", 1],
  ["setting what the service sets", "hook-does-not-compile",
    `${typedBy("kirak/users")}export const before_register: UsersAuthHooks["before_register"] = (user) => {\n  user.role = "admin";\n};\n`, 3],
])("a hook of accounts that is %s is shown where it stands", async (_, code, text, line) => {
  const { generate, write } = project(models);
  write(authFile, text);
  const { exitCode, diagnostics } = await generate({ compile: true });
  expect(exitCode).toBe(2);
  expect(diagnostics).toMatchObject([{ code, file: authFile, line }]);
});

const graphqlFile = "models/hooks/graphql.ts";

test.each([
  ["misspelt", "unknown-hook", "export const before_graphqll = () => {};\n", 1],
  ["mistyped", "hook-does-not-compile", "\nexport const after_graphql = (value: string) => value;\n", 2],
  ["no module", "hook-does-not-compile", "console.log(1);\n", 1],
])(
  "a hook of GraphQL that is %s is shown at its place, also next to hooks of accounts",
  async (_, code, text, line) => {
    const { generate, write } = project(models);
    write(authFile, "export const after_login = () => {};\n");
    write(graphqlFile, text);
    const { exitCode, diagnostics } = await generate({ compile: true });
    expect(exitCode).toBe(2);
    expect(diagnostics).toMatchObject([{ code, file: graphqlFile, line }]);
  },
);

test("hooks of GraphQL are wired, with those of accounts or without", async () => {
  const { generate, write, read } = project(models);
  write(graphqlFile, "export const before_graphql = () => {};\n");
  expect(await generate({ compile: true })).toMatchObject({ exitCode: 0, diagnostics: [] });
  expect(read("generated/index.ts")).toContain("graphql: { hooks: defineGraphqlHooks(graphqlHooks) }");
  write(authFile, "export const after_login = () => {};\n");
  expect(await generate({ compile: true })).toMatchObject({ exitCode: 0, diagnostics: [] });
});

test("hooks of accounts know the columns that the app adds, and run on", async () => {
  const users = { fields: { nickname: { type: "string" } } };
  const { generate, write, read } = project({ ...models, users });
  const body = "(user) => {\n  user.nickname = user.email;\n};\n";
  const typed = typedBy("../../generated/models/users/model.ts");
  write(authFile, `${typed}export const before_register: UsersAuthHooks["before_register"] = ${body}`);
  expect(await generate({ compile: true })).toMatchObject({ exitCode: 0, diagnostics: [] });
  expect(read("generated/index.ts")).toContain("hooks: defineAuthHooks<UsersAuthHooks>()(authHooks)");
  write("models/models.json", models);
  const { diagnostics } = await generate({ compile: true, accepted: ["drop_column:users.nickname"] });
  expect(diagnostics).toMatchObject([
    { code: "hook-does-not-compile", file: authFile, line: 1 },
    { line: 2 },
  ]);
});

test("hooks next to another models file are checked, and those of the usual place are not", async () => {
  const { generate, write } = project(models);
  write("app/models.json", models);
  write("models/hooks/books.ts", "export const before_fetch: number = '';\n");
  const options = { compile: true, models: "app/models.json" };
  expect((await generate(options)).exitCode).toBe(0);
  write("app/hooks/books.ts", "export const before_fetch: number = '';\n");
  const { exitCode, diagnostics } = await generate(options);
  expect(exitCode).toBe(2);
  expect(diagnostics[0]).toMatchObject({ code: "hook-does-not-compile", file: "app/hooks/books.ts" });
});

test("a hook file without a model only causes a warning, unless another file imports it", async () => {
  const { generate, write } = project(models);
  const orphan = "models/hooks/pens.ts";
  write(
    orphan,
    'import type { Pen } from "../../generated/models/pens/model.ts";\nexport const a: Pen = 1;\n',
  );
  const { exitCode, diagnostics } = await generate({ compile: true });
  expect({ exitCode, codes: diagnostics.map(({ code }) => code) }).toEqual({
    ...{ exitCode: 0, codes: ["orphan-hook"] },
  });
  write("models/shop/pens.ts", 'export { a } from "../hooks/pens.ts";\n');
  expect((await generate({ compile: true })).diagnostics).toMatchObject([
    { code: "orphan-hook" },
    { code: "hook-does-not-compile", file: orphan, line: 1 },
  ]);
});

test("files that the build leaves out are not checked", async () => {
  const { generate, write } = project(models);
  write("tsconfig.build.json", { exclude: ["models/test"] });
  write("models/test/books.test.ts", "export const before_fetch: number = '';\n");
  expect((await generate({ compile: true })).exitCode).toBe(0);
  const file = "models/tests/books.ts";
  write(file, "export const before_fetch: number = '';\n");
  expect((await generate({ compile: true })).diagnostics).toMatchObject([{ file }]);
});

test("a hook file is looked at as soon as it has a model", async () => {
  const { generate, write } = project(models);
  write("models/hooks/pens.ts", "export const before_fetch: number = '';\n");
  expect((await generate({ compile: true })).exitCode).toBe(0);
  write("models/models.json", { ...models, pens: models.books });
  expect(await generate({ compile: true })).toMatchObject({ exitCode: 2 });
});

test("a hook file that exports nothing is the user's", async () => {
  const { generate, write } = project(models);
  write(hooks, "console.log(1);\n");
  const { exitCode, diagnostics } = await generate({ compile: true });
  expect(exitCode).toBe(2);
  expect(diagnostics).toMatchObject([{ code: "hook-does-not-compile", file: hooks, line: 1 }]);
});

test("hooks are looked at again when a type that they use changes", async () => {
  const { generate, write } = project(models);
  write(
    hooks,
    `${typed}export const before_create: BooksHooks["before_create"] = (book) => {\n  book.title = "x";\n};\n`,
  );
  expect((await generate({ compile: true })).exitCode).toBe(0);
  write("models/models.json", { books: { ...models.books, fields: { title: { type: "integer" } } } });
  const { exitCode, diagnostics } = await generate({ compile: true, accepted: ["set_type:books.title"] });
  expect(exitCode).toBe(2);
  expect(diagnostics).toMatchObject([{ file: hooks, line: 3 }]);
});

// biome-ignore format: one case a line
const changesElsewhere: readonly [name: string, path: string, text: string | object | null][] = [
  ["a module elsewhere has another type", "lib/words.ts", "export const word: number = 1;\n"],
  ["a module elsewhere is gone", "lib/effect.js", null],
  ["a package has other types", "models/node_modules/words/index.d.ts", "export declare const title: number;\n"],
  ["generated modules are of another kind", "generated/package.json", { type: "commonjs" }],
];

test.each(changesElsewhere)("a run after a good one sees that %s", async (_, path, text) => {
  const { generate, write, remove } = project(models);
  write("models/node_modules/words/package.json", { name: "words", type: "module", types: "./index.d.ts" });
  write("models/node_modules/words/index.d.ts", "export declare const title: string;\n");
  write("lib/words.ts", 'export const word: string = "x";\n');
  write("lib/effect.js", "globalThis.loaded = true;\n");
  const imports = [
    'import { title } from "words";',
    'import { word } from "../../lib/words.ts";',
    'import "../../lib/effect.js";',
  ];
  const body = "(book) => {\n  book.title = word;\n  book.title = title;\n};\n";
  write(
    hooks,
    `${imports.join("\n")}\n${typed}export const before_create: BooksHooks["before_create"] = ${body}`,
  );
  expect(await generate({ compile: true })).toMatchObject({ exitCode: 0, diagnostics: [] });
  if (text === null) remove(path);
  else write(path, text);
  for (const mode of ["check", "write"] as const) {
    const { exitCode, diagnostics } = await generate({ compile: true, mode });
    expect(exitCode).toBe(2);
    expect(diagnostics).toContainEqual(
      expect.objectContaining({ code: "hook-does-not-compile", file: hooks }),
    );
  }
});

test("a hook may not import the types of a model that goes", async () => {
  const pens = { fields: { name: { type: "string" } }, access: { fetch: [{ role: "*" }] } };
  const { generate, write } = project({ ...models, pens });
  const row =
    'import type { PensRow } from "../../generated/models/pens/model.ts";\nexport type Pen = PensRow;\n';
  write("models/shop/pens.ts", row);
  expect((await generate({ compile: true })).exitCode).toBe(0);
  write("models/models.json", models);
  const { exitCode, diagnostics } = await generate({ compile: true, accepted: ["drop_table:pens"] });
  expect(exitCode).toBe(2);
  expect(diagnostics).toMatchObject([{ file: "models/shop/pens.ts", line: 1 }]);
});

test("generated code that does not compile is reported as a bug of Kirak", async () => {
  const { generate, write, read, remove } = project(models);
  remove("lib");
  write("lib/runtime/index.d.ts", read("tsconfig.json"));
  await expect(generate({ compile: true })).rejects.toThrow("generated code does not compile");
});

test("settings without TypeScript's library are reported as such", async () => {
  const { root, write } = project(models);
  write("tsconfig.json", { compilerOptions: { noLib: true, types: [] } });
  write("lib/words.ts", "export const word = 1;\n");
  const { errors } = await compile({ root, overlay: new Map(), further: ["lib/words.ts"] });
  expect(errors.map(({ message }) => message)).toContain("Cannot find global type 'Array'. (TS2318)");
  expect(await compile({ root, overlay: new Map(), further: [] })).toMatchObject({ errors: [] });
});

test.skipIf(process.platform !== "linux")(
  "after a compiler that died the next check has a new one",
  async () => {
    const { root, write } = project(models);
    write("lib/words.ts", 'export const word: number = "x";\n');
    const check = () => compile({ root, overlay: new Map(), further: ["lib/words.ts"] });
    const found = { errors: [{ file: "lib/words.ts", line: 1, column: 14 }] };
    expect(await check()).toMatchObject(found);
    const children = readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, "utf8")
      .trim()
      .split(" ");
    const compilers = children.filter((pid) =>
      readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("--api"),
    );
    expect(compilers).toHaveLength(1);
    for (const pid of compilers) process.kill(Number(pid), "SIGKILL");
    await expect(check()).rejects.toThrow();
    expect(await check()).toMatchObject(found);
  },
);
