import { existsSync, realpathSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { extname, join, relative, resolve, sep } from "node:path";
import { pathToFileURL } from "node:url";
import { installedFile } from "#generator/packages/installed-file";
import { CommandError } from "#runtime/process/index";
import { buildIsCurrent } from "./app-build.ts";

/**
 * A module of an app to import, by its path relative to the app: of its build in `dist/` if that is current,
 * else the source itself. Throws a CommandError if this Node.js can run neither, or the app imports another
 * copy of `kirak`.
 */
export async function appModule(root: string, path: string): Promise<URL> {
  requireThisPackage(root);
  const built = join(root, "dist", javaScriptOf(path));
  if (existsSync(built) && buildIsCurrent(root)) return pathToFileURL(built);
  await prepareTypeScript(root, path);
  process.setSourceMapsEnabled(true);
  return pathToFileURL(join(root, path));
}

/** The same for a path that the user typed. JavaScript runs unchanged. Throws a CommandError. */
export async function moduleAt(root: string, typed: string): Promise<URL> {
  const path = relative(root, resolve(root, typed)).split(sep).join("/");
  if (path.startsWith("../")) throw new CommandError(`${typed} is not in ${root}`);
  const isTypeScript = extname(path) === ".ts";
  const found = statSync(join(root, path), { throwIfNoEntry: false });
  // An image can hold only the build.
  if (found === undefined && !(isTypeScript && existsSync(join(root, "dist", javaScriptOf(path)))))
    throw new CommandError(`${typed} does not exist`);
  if (found?.isFile() === false) throw new CommandError(`${typed} is a folder`);
  return isTypeScript ? appModule(root, path) : pathToFileURL(join(root, path));
}

function javaScriptOf(path: string): string {
  return path.replace(/\.ts$/, ".js");
}

/** Two copies of the package in one process do not share services and error classes. */
function requireThisPackage(root: string): void {
  const imported = kirakOf(join(root, "package.json"));
  if (imported === null) throw new CommandError("the package kirak is not installed here: run npm install");
  if (imported !== kirakOf(import.meta.url))
    throw new CommandError(`this app imports another copy of kirak, ${imported}: run npx kirak in the app`);
}

/** The file of an import of `kirak`; null without the package. */
function kirakOf(importer: string): string | null {
  try {
    return realpathSync(createRequire(importer).resolve("kirak"));
  } catch {
    return null;
  }
}

let hasLoader = false;

/** Node.js strips types from 22.18 on. Older versions need a loader. */
async function prepareTypeScript(root: string, path: string): Promise<void> {
  if (hasLoader || Object(process.features)["typescript"]) return;
  const loader = installedFile("tsx", "esm", root);
  if (loader === null)
    throw new CommandError(
      `dist/ has no current build of ${path}, and Node.js ${process.versions.node} runs TypeScript only with tsx, which is not installed. ` +
        "To develop: npm install --include=dev if package.json lists tsx, else npm install --save-dev tsx. " +
        "To deploy: npm ci --include=dev && npm run build",
    );
  await import(pathToFileURL(loader).href);
  hasLoader = true;
}
