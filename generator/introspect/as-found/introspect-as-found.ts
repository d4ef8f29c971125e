import { cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Json } from "../../../vocabulary/json.ts";
import type { CatalogSchema } from "../../../vocabulary/migrations/catalog.ts";
import type { FoundObject } from "../../../vocabulary/migrations/found-objects.ts";
import type { ServiceDefinition } from "../../definition/definition.ts";
import { renderDiagnostics } from "../../diagnostics/index.ts";
import { stopOf } from "../../diagnostics/stop.ts";
import { emitAccessMatrix, emitMigrations } from "../../emit/emit.ts";
import { formatOutput } from "../../format/format.ts";
import { hookFiles } from "../../load/files.ts";
import { changesTo } from "../../output/file-changes.ts";
import { readOutputFolder } from "../../output/output-folder.ts";
import { requireOutput } from "../../output/output-problems.ts";
import { makeFoldersOf, replaceFile, save } from "../../output/save.ts";
import { readDefinition } from "../../pipeline/generate.ts";
import { existingProblem, type IntrospectOptions, inTheWay } from "../existing.ts";
import { emptyProblem, type Introspection, inputFiles, nothingKept } from "../introspect.ts";
import { adoptAsFound, type FoundModels } from "./adopt-as-found.ts";
import { foundBaseline, foundBaselineTables } from "./found-baseline.ts";
import { withIgnores } from "./found-lint.ts";
import type { FoundRemark } from "./found-remarks.ts";

/** The choices of an introspection of tables as they are. */
export interface AsFoundOptions extends IntrospectOptions {
  /** The role that can run every operation; null if everything is closed. */
  readonly open: string | null;
  readonly views: boolean;
  /** Describes the tables; default: with nothing that the database does not say. */
  readonly adopt?: typeof adoptAsFound;
}

/** The database. `home` is the schema of unqualified names, which has Kirak's own tables. */
export interface FoundDatabase {
  readonly home: string;
  readonly schemas: readonly CatalogSchema[];
  readonly objects: readonly FoundObject[];
}

export type FoundIntrospection =
  | Extract<Introspection, { readonly problem: unknown }>
  | (Exclude<Introspection, { readonly problem: unknown }> & {
      readonly remarks: readonly FoundRemark[];
      readonly tables: FoundModels["tables"];
    });

/** Writes models that describe the tables as they are, and the baseline. Throws only for bugs. */
export async function introspectAsFound(
  { home, schemas, objects }: FoundDatabase,
  options: AsFoundOptions,
): Promise<FoundIntrospection> {
  try {
    requireOutput(options, [options.models, options.manifest]);
    const existing = await existingProblem(options);
    if (existing !== null) return { problem: existing, exitCode: 1 };
    const [first] = schemas;
    if (first === undefined) throw new Error("no schema was read");
    const { open, views, adopt = adoptAsFound } = options;
    const found = adopt(schemas, { open, views, home });
    if (found.tables.length === 0) return { problem: emptyProblem(first), exitCode: 2 };
    const place = first.name === home ? {} : { service_schema: home };
    return await produce(found, objects, { ...found.settings, ...place }, options);
  } catch (error) {
    const stop = stopOf(error);
    const [problem] = stop?.reasons.problems ?? [];
    if (stop === null || problem === undefined) throw error;
    return { problem, exitCode: stop.exitCode };
  }
}

async function produce(
  found: FoundModels,
  objects: readonly FoundObject[],
  manifest: { readonly [key: string]: Json },
  options: AsFoundOptions,
): Promise<FoundIntrospection> {
  const { root, models, out, dryRun, force } = options;
  // Must run before the files are written.
  const there = force || dryRun ? await inTheWay(options) : null;
  const { inputs, definition, errors } = await withDefinition(found, manifest, options);
  if (definition === null) return { problem: brokenProblem(errors), exitCode: 2 };
  const tables = foundBaselineTables(definition, found.tables);
  const baseline = foundBaseline(tables, objects);
  const folder = readOutputFolder(join(root, out));
  const emitted = [
    ...emitMigrations([baseline], { migration: baseline.name, tables }, models, out),
    ...emitAccessMatrix(definition, out),
  ];
  const texts = await formatOutput(emitted, nothingKept, folder);
  const changes = changesTo(folder, texts, []);
  if (!dryRun) save(join(root, out), [...changes.written, ...changes.removed]);
  const orphans = [...(await hookFiles(root, models))].filter(([name]) => !Object.hasOwn(found.models, name));
  const inOut = ({ path }: { readonly path: string }) => `${out}/${path}`;
  const { name, changes: steps, down } = baseline;
  return {
    adoption: { models: found.models, tables, remarks: [] },
    remarks: found.remarks,
    tables: found.tables,
    written: [...inputs.keys(), ...changes.written.map(inOut)],
    removed: changes.removed.map(inOut),
    inTheWay: there,
    orphans: orphans.map(([, file]) => file),
    keepsManifest: !inputs.has(options.manifest),
    baseline: { name, parent: null, up: steps.map(({ step }) => step), down },
  };
}

/** The files of an introspection, and the definition that they have. */
export interface WrittenInputs {
  readonly inputs: ReadonlyMap<string, string>;
  readonly definition: ServiceDefinition | null;
  readonly errors: string;
}

/** Writes the files, and the findings of the take-over as `lint_ignore`. Writes nothing in a dry run or if they have errors. */
async function withDefinition(
  found: FoundModels,
  manifest: { readonly [key: string]: Json },
  options: AsFoundOptions,
): Promise<WrittenInputs> {
  const tried = await inTemporaryFolder(found, manifest, options, join(options.root, options.manifest));
  if (options.dryRun || tried.definition === null) return tried;
  return await writeInputs(found, manifest, options);
}

/** The same in a temporary folder, with a copy of a manifest or a new one. */
export async function inTemporaryFolder(
  found: FoundModels,
  manifest: { readonly [key: string]: Json },
  options: AsFoundOptions,
  from: string | null,
): Promise<WrittenInputs> {
  const root = mkdtempSync(join(tmpdir(), "kirak-introspect-"));
  try {
    makeFoldersOf([join(root, options.manifest)]);
    if (from !== null && existsSync(from)) cpSync(from, join(root, options.manifest));
    return await writeInputs(found, manifest, { ...options, root });
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

async function writeInputs(
  { models: content }: FoundModels,
  manifest: { readonly [key: string]: Json },
  options: AsFoundOptions,
): Promise<WrittenInputs> {
  const first = await write(content, manifest, options);
  const read = await readDefinition({ ...options, lint: true });
  if (read.definition === null)
    return { inputs: first, definition: null, errors: renderDiagnostics(read.diagnostics, read.sources) };
  const own = read.diagnostics.filter(({ file }) => file === options.models);
  const inputs = await write(
    withIgnores(content, own, first.get(options.models) ?? ""),
    manifest,
    options,
    first.has(options.manifest),
  );
  const { definition, diagnostics, sources } = await readDefinition(options);
  return { inputs, definition, errors: definition === null ? renderDiagnostics(diagnostics, sources) : "" };
}

/** Writes the models file, and a manifest if the project has none. Returns their texts by path. */
async function write(
  models: { readonly [key: string]: Json },
  manifest: { readonly [key: string]: Json },
  options: AsFoundOptions,
  isNew = false,
): Promise<ReadonlyMap<string, string>> {
  const { root } = options;
  const files = await inputFiles(models, manifest, options, isNew);
  makeFoldersOf([...files.keys()].map((path) => join(root, path)));
  for (const [path, text] of files) replaceFile(join(root, path), text);
  return files;
}

export function brokenProblem(errors: string) {
  return {
    kind: "database" as const,
    message: "the models of this database have errors; nothing is written",
    details: `${errors}\n`,
    fix: "correct the manifest if the errors are there, or else report the tables: it is a bug of kirak introspect",
  };
}
