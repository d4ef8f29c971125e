import { readFileSync } from "node:fs";
import { join } from "node:path";
import { stringLiteral } from "#generator/emit/literal";
import { checksum, parseLock, printLock } from "#generator/output/lock-file";
import { documentPath } from "#generator/output/output-files";
import { filesIn } from "#generator/output/output-folder";
import { folderChecksumText, lockFile } from "#vocabulary/models-folder";

/** Files by their paths in the app, with `/`. */
export type Files = ReadonlyMap<string, string>;

/** Path of the JSON Schemas, relative to `models/` of an app. */
const schemas = "../node_modules/kirak/schemas/";

/**
 * Lint findings that are intended in the app, by example. They do not occur in this repository, where seed
 * data grants the role.
 */
const intendedFindings: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  bookshop: {
    "role-nobody-has": "The operator of the shop assigns it: npm run create-admin -- --role staff.",
  },
};

/** The files of an example under a new app name: its models and generated code. */
export function exampleFiles(folder: string, name: string): Files {
  const paths = filesIn(folder);
  const texts = new Map(paths.map((path) => [path, readFileSync(join(folder, path), "utf8")]));
  const files = new Map([...texts].map(([path, text]) => [path, ofAnApp(path, text)]));
  const manifest = files.get("models/manifest.json") ?? "";
  files.set("models/manifest.json", namedManifest(withIntendedFindings(manifest), name));
  if (files.has(`generated/${lockFile}`)) rename(files, nameIn(manifest), name);
  return files;
}

/** Renames the app in a manifest. */
function namedManifest(text: string, name: string): string {
  const pattern = /^( {2}"name": )".*?"/m;
  if (!pattern.test(text))
    throw new Error("the manifest of an example does not have its name on a separate line");
  return text.replace(pattern, (_, key: string) => `${key}${JSON.stringify(name)}`);
}

function withIntendedFindings(manifest: string): string {
  const lines = Object.entries(intendedFindings[nameIn(manifest)] ?? {}).map(
    ([code, why]) => `\n    ${JSON.stringify(code)}: ${JSON.stringify(why)},`,
  );
  const pattern = /(?<=^ {2}"lint_ignore": \{)/m;
  if (lines.length > 0 && !pattern.test(manifest))
    throw new Error(`the manifest of the example ${nameIn(manifest)} has no lint_ignore`);
  return manifest.replace(pattern, () => lines.join(""));
}

/**
 * Adapts a file to the folders of an app: the JSON Schemas are in the installed package, and tests of the shop
 * are one folder deeper in this repository.
 */
function ofAnApp(path: string, text: string): string {
  if (path.startsWith("test/")) return text.replaceAll('"../../generated/', '"../generated/');
  if (!/^models\/[^/]+\.json$/.test(path)) return text;
  return text.replace(/^( {2}"\$schema": ")[^"]*\/schemas\//m, `$1${schemas}`);
}

function nameIn(manifest: string): string {
  const { name }: { name: string } = JSON.parse(manifest);
  return name;
}

/** Generated files with the name of the app, and the line that has it. */
const namedFiles: readonly (readonly [file: string, line: (name: string) => string])[] = [
  ["index.ts", (name) => `\n  name: ${stringLiteral(name)},\n`],
  [documentPath, (name) => `\n    "title": ${JSON.stringify(name)},\n`],
];

/** Renames the app in generated code and in the lock. The next run formats these files again. */
function rename(files: Map<string, string>, from: string, to: string): void {
  const lock = parseLock(files.get(`generated/${lockFile}`) ?? "");
  const entries = new Map(lock?.files);
  for (const [file, line] of namedFiles) {
    const text = files.get(`generated/${file}`) ?? "";
    const entry = entries.get(file);
    if (entry === undefined || !text.includes(line(from)))
      throw new Error(`generated/ of the example ${from} is not what the generator makes`);
    const renamed = text.replace(line(from), () => line(to));
    files.set(`generated/${file}`, renamed);
    entries.set(file, { ...entry, content: checksum(renamed) });
  }
  if (lock !== null)
    files.set(`generated/${lockFile}`, printLock({ ...lock, models: modelsSum(files), files: entries }));
}

function modelsSum(files: Files): string {
  const below = (folder: string) => (folder === "" ? "models/" : `models/${folder}/`);
  const namesIn = (folder: string) =>
    [...files.keys()]
      .filter((path) => path.startsWith(below(folder)))
      .map((path) => path.slice(below(folder).length))
      .filter((name) => !name.includes("/"));
  return checksum(
    folderChecksumText({ namesIn, read: (name) => JSON.parse(files.get(`models/${name}`) ?? "null") }),
  );
}
