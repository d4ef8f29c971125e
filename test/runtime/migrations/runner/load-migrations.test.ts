import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { loadMigrations, MigrationError } from "#runtime/migrations/runner/index";

type Entry = readonly [file: string, parent: string | null, name?: string];

/** A folder with these migrations. */
function folderOf(...entries: readonly Entry[]): URL {
  const folder = mkdtempSync(join(tmpdir(), "kirak-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [file, parent, name = file.replace(/\.\w+$/, "")] of entries)
    writeFileSync(
      join(folder, file),
      `export const migration = ${JSON.stringify({ name, parent, up: [], down: [] })};\n`,
    );
  return pathToFileURL(`${folder}/`);
}

test("migrations follow their parents regardless of their numbers, and other files are ignored", async () => {
  const folder = folderOf(
    ["0001_initial.ts", null],
    ["0002_b.ts", "0003_c"],
    ["0003_c.ts", "0001_initial"],
    ["10000_last.ts", "0002_b"],
    ["index.ts", null],
    ["0002_b.js.map", null],
    ["0002_b.d.ts", null],
    ["schema.json", null],
  );
  expect((await loadMigrations(folder)).map(({ name }) => name)).toEqual([
    "0001_initial",
    "0003_c",
    "0002_b",
    "10000_last",
  ]);
});

test("a build has them as JavaScript", async () => {
  const folder = folderOf(["0001_initial.js", null]);
  expect(await loadMigrations(folder)).toEqual([{ name: "0001_initial", parent: null, up: [], down: [] }]);
});

test("a custom loader can load them, for example a compiler", async () => {
  const folder = folderOf(["0001_initial.ts", null]);
  const loaded: string[] = [];
  const load = async (url: string) => {
    loaded.push(url);
    return { migration: { name: "0001_initial", parent: null, up: [], down: [] } };
  };
  expect(await loadMigrations(folder, undefined, load)).toHaveLength(1);
  expect(loaded).toEqual([new URL("0001_initial.ts", folder).href]);
});

test("a service may have none", async () => {
  expect(await loadMigrations(folderOf())).toEqual([]);
});

test("the ancestors of a named one can be loaded although there are two heads", async () => {
  const folder = folderOf(
    ["0001_initial.ts", null],
    ["0002_a.ts", "0001_initial"],
    ["0002_b.ts", "0001_initial"],
    ["0003_c.ts", "0002_b"],
  );
  const namesTo = async (last: string) => (await loadMigrations(folder, last)).map(({ name }) => name);
  expect(await namesTo("0002_a")).toEqual(["0001_initial", "0002_a"]);
  expect(await namesTo("0003_c")).toEqual(["0001_initial", "0002_b", "0003_c"]);
  await expect(namesTo("0004_d")).rejects.toThrow("0002_a and 0002_b both build on 0001_initial");
});

const first: Entry = ["0001_initial.ts", null];

// biome-ignore format: one case a line
test.each<[string, readonly Entry[], RegExp]>([
  ["two heads", [first, ["0002_a.ts", "0001_initial"], ["0002_b.ts", "0001_initial"], ["0003_c.ts", "0002_b"]],
    /^0002_a and 0002_b both build on 0001_initial: run npm run generate/],
  ["two first ones", [first, ["0002_a.ts", null]], /^0001_initial and 0002_a both build on nothing: /],
  ["a missing parent", [first, ["0003_b.ts", "0002_a"]], /^0003_b builds on 0002_a, which is missing/],
  ["a circle", [first, ["0002_a.ts", "0003_b"], ["0003_b.ts", "0002_a"]], /^0002_a builds on 0003_b, which is missing or is part of a cycle/],
  ["an invalid name", [first, ["0002_Add.ts", "0001_initial"]], /^0002_Add.ts is not a migration name/],
  ["only a number", [first, ["2.js", "0001_initial"]], /^2.js is not a migration name/],
  ["another name inside", [["0001_first.ts", null, "0001_initial"]], /^0001_first.ts contains the migration 0001/],
])("%s is refused", async (_, entries, message) => {
  const error = await loadMigrations(folderOf(...entries)).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(MigrationError);
  expect(String(error)).toMatch(new RegExp(message.source.replace("^", "^MigrationError: ")));
});

test("a file without a migration, and a folder that is not there, are refused", async () => {
  const folder = folderOf();
  writeFileSync(new URL("0001_initial.ts", folder), "export const other = 1;\n");
  await expect(loadMigrations(folder)).rejects.toThrow("0001_initial.ts exports no migration");
  await expect(loadMigrations(new URL("gone/", folder))).rejects.toThrow(
    /cannot be read: .*gone\/ does not exist/,
  );
});
