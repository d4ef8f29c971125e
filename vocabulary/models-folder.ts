// The checksum of `models/`. By it, the runtime detects changes since the last `kirak generate`.

/** The models file, and every `*.models.json` next to it, sorted. */
export function modelFileNames(first: string, names: readonly string[]): string[] {
  const further = names.filter((name) => name.endsWith(".models.json") && name !== first);
  return [first, ...further.sort()];
}

/** The optional file of custom errors. */
export const errorsFile = "errors.json";

/** The key of a hook file; null for declarations, tests and other files. */
export function hookKey(name: string): string | null {
  const isCode = name.endsWith(".ts") && !name.endsWith(".d.ts") && !name.endsWith(".test.ts");
  return isCode ? name.slice(0, -".ts".length) : null;
}

/** The pattern for names of custom route files. */
export const routeFileName = /^[a-z][a-z0-9_-]*\.ts$/;

/** The folder of custom SQL, next to the models file. */
export const customMigrationsFolder = "migrations";

/** Whether a file of this folder is a migration. Declarations and tests are not. */
export function isCustomMigration(name: string): boolean {
  return /^\d{4,}_[a-z0-9_]+\.ts$/.test(name);
}

/** Names of the code files of an app. */
export interface AppCodeFiles {
  readonly hooks: readonly string[];
  readonly routes: readonly string[];
  readonly jobs: readonly string[];
  readonly migrations: readonly string[];
}

/** The keys of the manifest that affect generated code. */
const generatedKeys = ["name", "service_prefix", "auth_prefix", "modules"];
/** Keys that do not affect generated code. */
const ignoredKeys = new Set(["$schema", "lint_ignore"]);

/**
 * The input of the checksum: models, errors, the manifest and the names of code files. It does not depend on
 * the formatting of the files. `models` has names and contents in the order of `modelFileNames`, and then the
 * file of errors, if any.
 */
export function modelsChecksumText(
  models: readonly (readonly [name: string, content: unknown])[],
  manifest: unknown,
  code: AppCodeFiles,
): string {
  const said = models.map(([name, content]) => [
    name,
    JSON.stringify(content, (key, value) => (ignoredKeys.has(key) ? undefined : value)),
  ]);
  const keys = new Map(Object.entries(manifest ?? {}));
  // Empty lists are left out, and keys that are off: checksums in old locks stay valid when one is added here.
  const { hooks, routes, jobs, migrations } = code;
  const { kysely }: { kysely?: unknown } = Object(keys.get("typescript"));
  const further = [
    ...(routes.length === 0 ? [] : [[...routes].sort()]),
    ...(jobs.length === 0 ? [] : [{ jobs: [...jobs].sort() }]),
    ...(migrations.length === 0 ? [] : [{ migrations: [...migrations].sort() }]),
    ...(kysely === true ? [{ kysely }] : []),
  ];
  return JSON.stringify([
    said,
    generatedKeys.map((key) => keys.get(key) ?? null),
    [...hooks].sort(),
    ...further,
  ]);
}

/** Access to `models/`. An absent subfolder has no names, and "" is `models/` itself. */
export interface ModelsFolder {
  readonly namesIn: (folder: string) => readonly string[];
  /** The content of a JSON file. */
  readonly read: (name: string) => unknown;
}

/** The input of the checksum for a folder whose files have their default names. */
export function folderChecksumText({ namesIn, read }: ModelsFolder): string {
  const names = namesIn("");
  const errors = names.filter((name) => name === errorsFile);
  const contents = [...modelFileNames("models.json", names), ...errors].map(
    (name) => [name, read(name)] as const,
  );
  return modelsChecksumText(contents, read("manifest.json"), {
    hooks: namesIn("hooks").flatMap((name) => hookKey(name) ?? []),
    routes: namesIn("routes").filter((name) => routeFileName.test(name)),
    jobs: namesIn("jobs").filter((name) => hookKey(name) !== null),
    migrations: namesIn(customMigrationsFolder).filter(isCustomMigration),
  });
}

/** Name of the lock in `generated/`. Its key `models` has the checksum of `folderChecksumText`. */
export const lockFile = "manifest.lock.json";

/** Length of a checksum in the lock: the first characters of SHA-256 in hexadecimal. */
export const checksumLength = 16;
