import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { installedApp, installedModules } from "./support/installed.ts";
import { run } from "./support/run.ts";
import { tarball } from "./support/tarball.ts";

const { content } = await tarball();
const modules = await installedModules();
const app = await installedApp();
const manifest: {
  exports: Record<string, string | { types: string }>;
  dependencies: Record<string, string>;
} = JSON.parse(readFileSync(join(content, "package.json"), "utf8"));
/** Only apps that have the optional package `kysely` import this one. */
const withPackage = "./kysely";
const publicExports = Object.entries(manifest.exports).flatMap(([path, target]) =>
  typeof target === "string" || path === withPackage
    ? []
    : [{ name: path.replace(/^\./, "kirak"), file: join(content, target.types) }],
);

test("declarations only name packages that are installed with this one", () => {
  const foreign = [...packagesOf(publicExports.map(({ file }) => file))].filter(([name]) => !isTyped(name));
  expect(Object.fromEntries(foreign)).toEqual({});
});

test("an app compiles against them, and they with it", async () => {
  const folder = join(temporaryFolder("kirak-declarations-"), "app");
  mkdirSync(folder);
  symlinkSync(join(modules, "node_modules"), join(folder, "node_modules"));
  for (const file of ["package.json", "tsconfig.json"]) writeFileSync(join(folder, file), app.read(file));
  const compilerOptions = { skipLibCheck: false };
  writeFileSync(
    join(folder, "strict.json"),
    JSON.stringify({ extends: "./tsconfig.json", compilerOptions, include: ["*.ts"] }),
  );
  writeFileSync(
    join(folder, "imports.ts"),
    publicExports
      .map(({ name }, at) => `import * as export${at} from "${name}";\nconsole.log(export${at});\n`)
      .join(""),
  );
  const ran = await run(
    process.execPath,
    [join("node_modules", "typescript", "bin", "tsc"), "-p", "strict.json"],
    { folder },
  );
  expect(ran).toMatchObject({ printed: "", code: 0 });
});

/** Packages that declarations import, those that they lead to included, each with a file that names it. */
function packagesOf(files: readonly string[]): Map<string, string> {
  const packages = new Map<string, string>();
  const seen = new Set(files);
  for (const file of seen)
    for (const name of importsOf(file))
      if (name.startsWith(".")) seen.add(join(dirname(file), name).replace(/\.[jt]s$/, ".d.ts"));
      else packages.set(name, file.slice(content.length + 1));
  return packages;
}

function importsOf(file: string): string[] {
  // JSON has no declarations.
  if (!file.endsWith(".d.ts") || !existsSync(file)) return [];
  const text = readFileSync(file, "utf8");
  const pattern = /(?:\bfrom |\bimport\(|\bimport |reference types=)"([^"]+)"/g;
  return [...text.matchAll(pattern)].map(([, name = ""]) => name);
}

function isTyped(name: string): boolean {
  const [scope = "", rest] = name.split("/");
  const owner = scope.startsWith("@") ? `${scope}/${rest}` : scope;
  const types = `@types/${owner.replace(/^@/, "").replace("/", "__")}`;
  return isBuiltin(name) || owner in manifest.dependencies || types in manifest.dependencies;
}
