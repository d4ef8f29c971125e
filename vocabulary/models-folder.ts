// How `models/` is read and what of it counts: the runtime notices by it that no one has generated since the models changed.

/** The models file, and every `*.models.json` next to it, sorted. */
export function modelFileNames(first: string, names: readonly string[]): string[] {
  const further = names.filter((name) => name.endsWith(".models.json") && name !== first);
  return [first, ...further.sort()];
}

/** The file of the app's own errors, which may be absent. */
export const errorsFile = "errors.json";

/** What a file of the folder `hooks` has hooks for; null for declarations, tests and other files. */
export function hookKey(name: string): string | null {
  const isCode = name.endsWith(".ts") && !name.endsWith(".d.ts") && !name.endsWith(".test.ts");
  return isCode ? name.slice(0, -".ts".length) : null;
}

/** Names of the files in the folder `routes` that hold routes of your own. */
export const routeFileName = /^[a-z][a-z0-9_-]*\.ts$/;

/** The folder of migrations of own SQL, next to the models file. */
export const customMigrationsFolder = "migrations";

/** Whether a file of that folder is a migration; declarations and tests are not. */
export function isCustomMigration(name: string): boolean {
  return /^\d{4,}_[a-z0-9_]+\.ts$/.test(name);
}

/** Names of the files that hold code of your own. */
export interface AppCodeFiles {
  readonly hooks: readonly string[];
  readonly routes: readonly string[];
  readonly jobs: readonly string[];
  readonly migrations: readonly string[];
}

/** The keys of the manifest that what is generated holds. */
const generatedKeys = ["name", "service_prefix", "auth_prefix", "modules"];
/** They change nothing that is generated. */
const ignoredKeys = new Set(["$schema", "lint_ignore"]);

/**
 * What models, errors and those keys of the manifest say, however their files are formatted, and which files of code of your own there
 * are. `models` are names and contents of files, in the order of `modelFileNames`, and after them that of the errors, where there is one.
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
  // Lists that are empty leave no trace, so that new ones make no old lock a wrong one.
  const { hooks, routes, jobs, migrations } = code;
  const further = [
    ...(routes.length === 0 ? [] : [[...routes].sort()]),
    ...(jobs.length === 0 ? [] : [{ jobs: [...jobs].sort() }]),
    ...(migrations.length === 0 ? [] : [{ migrations: [...migrations].sort() }]),
  ];
  return JSON.stringify([
    said,
    generatedKeys.map((key) => keys.get(key) ?? null),
    [...hooks].sort(),
    ...further,
  ]);
}

/** `models/` as someone holds it. A folder in it that is absent has no names; that of the models themselves is called "". */
export interface ModelsFolder {
  readonly namesIn: (folder: string) => readonly string[];
  /** What a file of JSON says. */
  readonly read: (name: string) => unknown;
}

/** The same of a folder with its files under their usual names. */
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

/** Name of the lock in `generated/`; its `models` has the checksum of that text. */
export const lockFile = "manifest.lock.json";

/** Characters of a checksum in the lock, of SHA-256 in hexadecimal. */
export const checksumLength = 16;
