import { execFile } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { type Project, project, repository } from "../support/project.ts";

const models = { books: { fields: { title: { type: "string" } }, access: { fetch: [{ role: "*" }] } } };

/** A project that is a repository of its own, with its own copy of the compiler. */
function repositoryOf(models: object): Project {
  const made = project(models);
  const { root, remove } = made;
  for (const folder of ["runtime", "vocabulary", "schemas", "node_modules"]) remove(folder);
  for (const folder of ["generator", "runtime", "cli", "vocabulary", "schemas", "templates", "scripts"])
    cpSync(join(repository, folder), join(root, folder), { recursive: true });
  mkdirSync(join(root, "node_modules"));
  for (const name of readdirSync(join(repository, "node_modules")).filter((name) => name !== "typescript"))
    symlinkSync(join(repository, "node_modules", name), join(root, "node_modules", name));
  cpSync(join(repository, "node_modules/typescript"), join(root, "node_modules/typescript"), {
    recursive: true,
  });
  return made;
}

/** As `npm run generate` does, in a process of its own: what it writes to both streams. */
async function generated({ root }: Project): Promise<string> {
  const run = promisify(execFile)(process.execPath, ["scripts/run/kirak.js", "generate"], {
    cwd: root,
  });
  const { stdout, stderr } = await run.catch((error: unknown) => Object(error));
  return `${stdout}${stderr}`;
}

test("where nothing but the compiler is another one, it is asked again, and what it finds is told", {
  timeout: 60_000,
}, async () => {
  const of = repositoryOf(models);
  await generated(of);
  const again = await generated(of);
  expect(again).toContain("nothing to do");

  // A compiler that refuses everything: nobody notices unless it is asked.
  const api = "node_modules/typescript/dist/api/sync/api.js";
  of.write(api, `${of.read(api)}\nAPI.prototype.updateSnapshot = () => { throw new Error("refused"); };\n`);
  expect(await generated(of)).toBe(again);
  const manifest = "node_modules/typescript/package.json";
  of.write(manifest, of.read(manifest).replace(/"version": "[^"]+"/, '"version": "7.0.99"'));
  expect(await generated(of)).toContain("refused");
});
