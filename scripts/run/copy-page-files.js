// @ts-check
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "./compile.js";

const modules = join(root, "node_modules");

/**
 * Copies the files of npm packages that pages load, with their licences. `folder` is the compiled module that lists them.
 *
 * @param {string} folder
 */
export async function copyPageFiles(folder) {
  /** @type {typeof import("../../runtime/modules/docs/packaged-files.ts")} */
  const { packagedFiles, packagedFolder } = await import(
    pathToFileURL(join(folder, "packaged-files.js")).href
  );
  const target = join(folder, packagedFolder);
  mkdirSync(target, { recursive: true });
  for (const [name, [from, path]] of Object.entries(packagedFiles)) {
    const text = readFileSync(join(modules, from, path), "utf8");
    // The source maps are not in the package.
    writeFileSync(join(target, name), text.replace(/\n(?:\/\/|\/\*)# sourceMappingURL=.*/, ""));
  }
  const packages = new Set([...Object.values(packagedFiles).map(([from]) => from), ...inGraphiql()]);
  writeFileSync(join(target, "LICENSES.txt"), [...packages].map(licencesOf).join("\n"));
}

/** The packages that the file of GraphiQL bundles without their licences. Its source map names their files. */
function inGraphiql() {
  /** @type {{ sources: string[] }} */
  const { sources } = JSON.parse(readFileSync(join(modules, "graphiql", "graphiql.min.js.map"), "utf8"));
  const names = sources.flatMap((source) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source)?.[1] ?? []);
  return [...new Set(names)].sort();
}

/**
 * The licences and notices of a package. Without a file of them, the text has a link.
 *
 * @param {string} name
 */
function licencesOf(name) {
  const folder = join(modules, name);
  const files = existsSync(folder) ? readdirSync(folder) : [];
  const texts = files
    .filter((file) => /licen[cs]e|notice/i.test(file))
    .map((file) => readFileSync(join(folder, file), "utf8"));
  return [`# ${name}`, ...(texts.length === 0 ? [`https://www.npmjs.com/package/${name}`] : texts), ""].join(
    "\n\n",
  );
}
