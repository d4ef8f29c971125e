import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { installedModules } from "./support/installed.ts";
import { run } from "./support/run.ts";

const folder = await installedModules();
const { exports }: { exports: Record<string, unknown> } = JSON.parse(
  readFileSync(join(folder, "node_modules", "kirak", "package.json"), "utf8"),
);
const publicExports = Object.keys(exports)
  .map((name) => name.replace(/^\./, "kirak"))
  .filter((name) => !name.endsWith(".json"));

/** Imports modules one after the other, and prints how many names each has, or why it has none. */
const program = `
  for (const name of process.argv.slice(1))
    try { console.log(name, Object.keys(await import(name)).length > 0); }
    catch (error) { console.log(name, error.code); }
`;

async function imported(...names: readonly string[]): Promise<string[]> {
  const words = ["--input-type=module", "--eval", program, ...names];
  return (await run(process.execPath, words, { folder })).output.trim().split("\n");
}

test("each public export can be imported; that of Kysely needs its package", async () => {
  const wanted = (name: string) => (name === "kirak/kysely" ? "ERR_MODULE_NOT_FOUND" : "true");
  expect(await imported(...publicExports)).toEqual(publicExports.map((name) => `${name} ${wanted(name)}`));
});

test("internal modules do not resolve", async () => {
  const internal = [
    ...["kirak/lib/runtime/server/server.js", "kirak/lib/runtime/index.js", "kirak/runtime/index.ts"],
    ...["kirak/runtime", "kirak/cli/kirak.js", "kirak/generator", "kirak/vocabulary/names.ts"],
  ];
  expect(await imported(...internal)).toEqual(
    internal.map((name) => `${name} ERR_PACKAGE_PATH_NOT_EXPORTED`),
  );
});
