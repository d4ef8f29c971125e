import { cpSync, readdirSync, symlinkSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { nothingToDo, rememberRun } from "#generator/last-run/last-run";
import { isSettled, readingOf } from "#generator/last-run/reading";
import { savedSince } from "#generator/output/saved-since";
import type { Result } from "#generator/pipeline/result";
import { printNothingToDo, printReport } from "#generator/review/print-report";
import { eventually } from "../../support/eventually.ts";
import { type Project, project, projectOfItsOwn, repository } from "../support/project.ts";

const timeout = 60_000;
const models = { books: { fields: { title: { type: "string" } }, access: { fetch: [{ role: "*" }] } } };
const hooks = "models/hooks/books.ts";
const usual = { models: "models/models.json", manifest: "models/manifest.json", out: "generated" };
type Paths = Partial<typeof usual>;

/** A project with packages of its own, and with hooks that import a package and a module elsewhere. */
function shop(made: Project = project(models)): Project {
  const { root, write, remove } = made;
  remove("node_modules");
  write("node_modules/words/package.json", { name: "words", type: "module", types: "./index.d.ts" });
  write("node_modules/words/index.d.ts", "export declare const word: string;\n");
  for (const name of readdirSync(join(repository, "node_modules")).filter(
    (name) => name !== ".package-lock.json",
  ))
    symlinkSync(join(repository, "node_modules", name), join(root, "node_modules", name));
  cpSync(join(repository, "node_modules/.package-lock.json"), join(root, "node_modules/.package-lock.json"));
  write("lib/title.ts", 'export const title: string = "x";\n');
  write("lib/effect.js", "globalThis.loaded = true;\n");
  write(
    hooks,
    'import { word } from "words";\nimport type { BooksHooks } from "../../generated/models/books/model.ts";\nimport { title } from "../../lib/title.ts";\nimport "../../lib/effect.js";\n\nexport const before_create: BooksHooks["before_create"] = (book) => {\n  book.title = title + word;\n};\n',
  );
  write("tsconfig.build.json", { exclude: ["models/test"] });
  write("models/more.models.json", {});
  return made;
}

const read = ({ root }: Project, paths: Paths = {}, generator = "these sources") =>
  readingOf({ root, ...usual, ...paths }, generator);

/** What is said before the generator is loaded; null where it has to look. */
async function said(of: Project, paths?: Paths, generator?: string): Promise<string | null> {
  const reading = await read(of, paths, generator);
  return reading === null ? null : nothingToDo(reading);
}

/** Runs as the command line does: what was read before is remembered with what the run left. */
async function run(of: Project, meanwhile: () => void = () => {}): Promise<Result> {
  const reading = await read(of);
  const result = await of.generate({ compile: true });
  meanwhile();
  const { report } = result;
  if (reading !== null && report !== null) await rememberRun(reading, result, printNothingToDo(report));
  return result;
}

/** Waits until what was just written is older than the run that begins now, by the clock of files. */
function settled(of: Project): Promise<void> {
  return eventually(async () => {
    const from = (await read(of))?.from ?? [];
    expect(from.filter((path) => savedSince(join(of.root, path), Date.now()))).toEqual([]);
  });
}

test("each thing that decides what a run does is seen, alone, and a run that changes nothing says the same", {
  timeout,
}, async () => {
  const of = shop(projectOfItsOwn(models));
  const { root, write, read: textOf, remove, files } = of;
  await settled(of);
  expect((await run(of)).diagnostics).toEqual([]);
  const says = await said(of);
  const again = await run(of);
  expect(says).toBe(again.report === null ? "" : printReport(again.report, "wrote"));

  const missed: string[] = [];
  const sees = async (name: string, change: () => void, undo: () => void) => {
    change();
    if ((await said(of)) !== null) missed.push(name);
    undo();
    if ((await said(of)) !== says) missed.push(`${name}, taken back`);
  };
  const edited = (path: string, add = " \n") => {
    const text = textOf(path);
    return sees(
      path,
      () => write(path, `${text}${add}`),
      () => write(path, text),
    );
  };
  const added = (path: string, content: string | object = "") =>
    sees(
      `${path}, new`,
      () => write(path, content),
      () => remove(path),
    );
  const removed = (path: string) => {
    const text = textOf(path);
    return sees(
      `${path}, gone`,
      () => remove(path),
      () => write(path, text),
    );
  };

  const inputs = [
    ...Object.values(usual).slice(0, 2),
    "models/more.models.json",
    hooks,
    "lib/title.ts",
    "lib/effect.js",
  ];
  const settings = ["tsconfig.json", "tsconfig.build.json", "package.json", "package-lock.json"];
  const installed = [
    "node_modules/.package-lock.json",
    "node_modules/words/index.d.ts",
    "node_modules/words/package.json",
  ];
  const output = Object.keys(files("generated")).map((path) => `generated/${path}`);
  expect(output.map((path) => path.replace(/.*\./, ""))).toEqual(
    expect.arrayContaining(["ts", "json", "graphql", "txt"]),
  );
  for (const path of [
    ...inputs,
    ...settings,
    ...installed,
    "declarations/runtime/index.d.ts",
    "declarations/runtime/model/index.d.ts",
    ...output,
  ]) {
    await edited(path);
    await removed(path);
  }
  for (const path of ["even.models.json", "access-acknowledged.json", "errors.json"])
    await added(`models/${path}`, {});
  for (const path of [
    "hooks/pens.ts",
    "hooks/pens.js",
    "hooks/deep/pens.ts",
    "shop/pens.ts",
    "mails/order.txt",
    "jobs/tidy.ts",
    "jobs/tidy.js",
    "migrations/0002_words.ts",
    "routes/slots.ts",
  ])
    await added(`models/${path}`);
  for (const path of [
    "index.js",
    "models/books/note.txt",
    ".gitkeep",
    "index.ts.7.tmp",
    "manifest.lock.pending.json",
  ])
    await added(`generated/${path}`);
  // What the compiler looked for and would take: a nearer package, and settings of it.
  await added("models/package.json", { name: "shop", imports: {} });
  await added("lib/package.json", { type: "commonjs" });
  await edited("var/kirak/checked-files.json");
  await removed("var/kirak/checked-files.json");
  await edited("var/kirak/last-run.json", "}");
  expect(missed).toEqual([]);

  expect(await said(of, {}, "other sources")).toBeNull();
  write("other/models.json", models);
  for (const paths of [
    { models: "other/models.json" },
    { manifest: "models/models.json" },
    { out: "made" },
    { out: "../made" },
  ])
    expect(await said(of, paths)).toBeNull();
  const version = Object.getOwnPropertyDescriptor(process, "version") ?? {};
  onTestFinished(() => void Object.defineProperty(process, "version", version));
  Object.defineProperty(process, "version", { ...version, value: "v0.0.0" });
  expect(await said(of)).toBeNull();
  Object.defineProperty(process, "version", version);
  expect(await said(of)).toBe(says);
  // Times alone are no change.
  utimesSync(join(root, usual.models), new Date(), new Date());
  expect(await said(of)).toBe(says);
});

test("what is saved while a run is at it is looked at by the next one, also where it is taken back", {
  timeout,
}, async () => {
  const of = shop();
  const { write, read: textOf } = of;
  await settled(of);
  const text = textOf(usual.models);
  await run(of, () => write(usual.models, `${text}\n`));
  expect(await said(of)).toBeNull();
  await settled(of);
  await run(of, () => {
    write(usual.models, text);
    write(usual.models, `${text}\n`);
  });
  expect(await said(of)).toBeNull();
  await settled(of);
  await run(of, () => write("models/late.models.json", {}));
  expect(await said(of)).toBeNull();
  await settled(of);
  await run(of, () => write("generated/index.ts", "// Mine.\n"));
  expect(await said(of)).toBeNull();
});

test("runs that complain, that only look, or that were not compiled leave nothing to go by", {
  timeout,
}, async () => {
  const of = shop();
  await settled(of);
  expect((await of.generate({ compile: false })).left).toBeNull();
  expect((await of.generate({ compile: true, mode: "check" })).left).toBeNull();
  expect((await of.generate({ compile: true, mode: "preview" })).left).toBeNull();
  of.write("models/hooks/pens.ts", "export const before_create = () => {};\n");
  await settled(of);
  expect(await run(of)).toMatchObject({ exitCode: 0, diagnostics: [{ code: "orphan-hook" }] });
  expect(await said(of)).toBeNull();
  of.remove("models/hooks/pens.ts");
  await settled(of);
  const [reading, clean] = [await read(of), await of.generate({ compile: true })];
  if (reading !== null) await rememberRun(reading, { ...clean, exitCode: 1 }, "");
  expect(await said(of)).toBeNull();
  await run(of);
  expect(await said(of)).not.toBeNull();
  of.write(hooks, "export const before_create = 5;\n");
  expect((await run(of)).left).toBeNull();
  expect(await said(of)).toBeNull();
});

const cache = "var/kirak/checked-files.json";

test("a run goes by what it checked itself, not by what another one remembers, or an earlier one", {
  timeout,
}, async () => {
  const of = shop();
  const { write, read: textOf, remove } = of;
  await settled(of);
  await run(of, () => write(cache, { ...JSON.parse(textOf(cache)), reached: {}, absent: [] }));
  expect(await said(of)).toBeNull();
  await run(of);
  expect(await said(of)).not.toBeNull();
  // The cache cannot be replaced: what a full disk does.
  const temporary = `${cache}.${process.pid}.tmp`;
  write(`${temporary}/full`, "");
  write("lib/more.ts", "export const more = 5;\n");
  write(hooks, `import "../../lib/more.ts";\n${textOf(hooks)}`);
  await settled(of);
  expect(await run(of)).toMatchObject({ exitCode: 0, left: null });
  expect(await said(of)).toBeNull();
  remove(temporary);
  expect((await run(of)).exitCode).toBe(0);
  expect(await said(of)).not.toBeNull();
});

test("inputs are where the run finds them, also by an absolute path", async () => {
  const of = shop();
  const { root, write } = of;
  const paths = { models: join(root, usual.models), manifest: join(root, usual.manifest) };
  await settled(of);
  const before = await read(of, paths);
  write(usual.manifest, { name: "other" });
  const after = await read(of, paths);
  expect(after?.sum).not.toBe(before?.sum);
  expect(after === null ? null : await isSettled(after)).toBe(false);
});

test("types of a package that change are seen by the compile check itself", { timeout }, async () => {
  const of = shop();
  await settled(of);
  expect((await run(of)).exitCode).toBe(0);
  of.write(
    "node_modules/words/index.d.ts",
    "export declare const word: { text: number };\nexport declare const title: 5;\n",
  );
  of.write(hooks, of.read(hooks).replace("title + word", "word"));
  expect(await run(of)).toMatchObject({
    exitCode: 2,
    diagnostics: [{ code: "hook-does-not-compile", file: hooks }],
  });
  of.write("node_modules/words/index.d.ts", "export declare const word: string;\n");
  expect((await run(of)).exitCode).toBe(0);
  of.write("node_modules/words/index.d.ts", "export declare const word: number;\n");
  expect(await run(of)).toMatchObject({
    exitCode: 2,
    diagnostics: [{ code: "hook-does-not-compile", file: hooks }],
  });
});

test.each([
  ["a foreign file that makes the output modules of another kind", "generated/package.json", true],
  ["a module that is only there to be loaded, gone", "lib/effect.js", false],
])("%s is seen by the compile check itself", { timeout }, async (_, path, comes) => {
  const of = shop();
  const put = (there: boolean) => (there ? of.write(path, { type: "commonjs" }) : of.remove(path));
  await settled(of);
  expect((await run(of)).exitCode).toBe(0);
  put(comes);
  for (const time of ["first", "second"])
    expect(await run(of), time).toMatchObject({
      exitCode: 2,
      diagnostics: expect.arrayContaining([
        expect.objectContaining({ code: "hook-does-not-compile", file: hooks }),
      ]),
    });
  put(!comes);
  await settled(of);
  expect((await run(of)).exitCode).toBe(0);
  expect(await said(of)).not.toBeNull();
});
