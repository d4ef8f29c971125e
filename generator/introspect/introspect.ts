import { join, posix } from "node:path";
import { maxIdentifierLength } from "../../vocabulary/identifiers.ts";
import { isJsonObject, type Json, type JsonObject as UnknownJson } from "../../vocabulary/json.ts";
import type { CatalogSchema } from "../../vocabulary/migrations/catalog.ts";
import { internalTables, isInternalTable } from "../../vocabulary/migrations/internal-tables.ts";
import { type StopProblem, stopOf } from "../diagnostics/stop.ts";
import { emitAccessMatrix, emitMigrations } from "../emit/emit.ts";
import { formatOutput, formatted } from "../format/format.ts";
import { hookFiles, readInput } from "../load/files.ts";
import { differences } from "../migrations/diff.ts";
import { contentName } from "../migrations/migration-name.ts";
import type { PlannedMigration } from "../migrations/plan.ts";
import { reversed, withNewNames } from "../migrations/renames.ts";
import type { Table } from "../migrations/schema.ts";
import { changesTo } from "../output/file-changes.ts";
import { parsedJson } from "../output/lock-file.ts";
import type { EmittedFile } from "../output/output-files.ts";
import { readOutputFolder } from "../output/output-folder.ts";
import { requireOutput } from "../output/output-problems.ts";
import { makeFoldersOf, replaceFile, save } from "../output/save.ts";
import { readDefinition } from "../pipeline/generate.ts";
import { type Adoption, adopt } from "./adopt.ts";
import { baselineMigration } from "./baseline.ts";
import { existingProblem, type IntrospectOptions, inTheWay } from "./existing.ts";

/**
 * The migration after the baseline if tables or indexes have names that the service needs. It only renames them, so that it can run
 * before the service's own migrations. Null without such names.
 */
function renameTaken(
  baseline: string,
  tables: readonly Table[],
): { readonly planned: PlannedMigration | null; readonly tables: readonly Table[] } {
  const taken = tables.filter(({ name }) => isInternalTable(name));
  const names = new Map(taken.map(({ name, model }) => [name, model]));
  const renames = [...names].map(([from, to]) => ({ from, to, columns: new Map<string, string>() }));
  const relations = new Set(
    tables.flatMap(({ name, indexes }) => [name, ...indexes.map((index) => index.name)]),
  );
  const after = withNewNames(tables, names).map((table) => ({
    ...table,
    indexes: table.indexes.map((index) => ({ ...index, name: freeName(index.name, relations) })),
  }));
  const changes = differences(tables, after, renames);
  if (changes.length === 0) return { planned: null, tables };
  const down = differences(after, tables, reversed(renames)).map(({ step }) => step);
  const planned = { name: `0002_${contentName(changes)}`, parent: baseline, changes, down };
  return { planned, tables: after };
}

const takenIndexes: ReadonlySet<string> = new Set(Object.values(internalTables).flat());

function freeName(index: string, relations: ReadonlySet<string>): string {
  if (!takenIndexes.has(index)) return index;
  for (let number = 1; ; number++) {
    const name = `app${number === 1 ? "" : number}_${index}`.slice(0, maxIdentifierLength);
    if (!relations.has(name)) return name;
  }
}

/** The result of a run, or its problem. Paths are relative to the project. */
export type Introspection =
  | { readonly problem: StopProblem; readonly exitCode: 1 | 2 }
  | {
      readonly adoption: Adoption;
      readonly written: readonly string[];
      readonly removed: readonly string[];
      /** Files that only a run with `force` replaces, as a phrase. */
      readonly inTheWay: string | null;
      /** Hook files without a model. */
      readonly orphans: readonly string[];
      /** Whether a manifest existed. */
      readonly keepsManifest: boolean;
      /** The baseline, as in its file. */
      readonly baseline: {
        readonly name: string;
        readonly parent: null;
        readonly up: Steps;
        readonly down: Steps;
      };
    };

type Steps = PlannedMigration["down"];

/** Writes the models of a database, and the migration that represents its tables. Throws only for bugs. */
export async function introspect(schema: CatalogSchema, options: IntrospectOptions): Promise<Introspection> {
  try {
    requireOutput(options, [options.models, options.manifest]);
    const existing = await existingProblem(options);
    if (existing !== null) return { problem: existing, exitCode: 1 };
    const adoption = adopt(schema);
    if (adoption.tables.length === 0) return { problem: emptyProblem(schema), exitCode: 2 };
    return await produce(adoption, options);
  } catch (error) {
    const stop = stopOf(error);
    const [problem] = stop?.reasons.problems ?? [];
    if (stop === null || problem === undefined) throw error;
    return { problem, exitCode: stop.exitCode };
  }
}

export function emptyProblem({ name, others }: CatalogSchema): StopProblem {
  const elsewhere = others.map((other) => `  schema ${other.name} has ${other.tables}\n`).join("");
  return {
    kind: "database",
    message: `the schema ${name} has no table that can become a model; nothing is written`,
    details: elsewhere,
    fix:
      elsewhere === ""
        ? "check that SERVICE_DATABASE_URL names the right database"
        : "choose a schema with --schema",
  };
}

/** No code is generated from the models yet. */
export const nothingKept = { kept: [], models: "" };

async function produce(adoption: Adoption, options: IntrospectOptions): Promise<Introspection> {
  const { root, models, out, dryRun, force } = options;
  // Must run before the files are written.
  const there = force || dryRun ? await inTheWay(options) : null;
  const inputs = await inputFiles(adoption.models, {}, options);
  if (!dryRun) {
    makeFoldersOf([...inputs.keys()].map((path) => join(root, path)));
    for (const [path, text] of inputs) replaceFile(join(root, path), text);
  }
  const baseline = baselineMigration(adoption.tables);
  const folder = readOutputFolder(join(root, out));
  const texts = await formatOutput(await emitted(baseline, adoption, options), nothingKept, folder);
  const changes = changesTo(folder, texts, []);
  if (!dryRun) save(join(root, out), [...changes.written, ...changes.removed]);
  const orphans = [...(await hookFiles(root, models))].filter(
    ([name]) => !Object.hasOwn(adoption.models, name),
  );
  const inOut = ({ path }: { readonly path: string }) => `${out}/${path}`;
  const { name, changes: steps, down } = baseline;
  return {
    adoption,
    written: [...inputs.keys(), ...changes.written.map(inOut)],
    removed: changes.removed.map(inOut),
    inTheWay: there,
    orphans: orphans.map(([, file]) => file),
    keepsManifest: !inputs.has(options.manifest),
    baseline: { name, parent: null, up: steps.map(({ step }) => step), down },
  };
}

/** The first migrations, and the access matrix: wider access before the first generation then needs an acknowledgement. */
async function emitted(
  baseline: PlannedMigration,
  { tables }: Adoption,
  options: IntrospectOptions,
): Promise<EmittedFile[]> {
  const { models, out, dryRun } = options;
  const moved = renameTaken(baseline.name, tables);
  const planned = [baseline, ...(moved.planned === null ? [] : [moved.planned])];
  const schema = { migration: planned.at(-1)?.name ?? null, tables: moved.tables };
  const migrations = emitMigrations(planned, schema, models, out);
  // On a dry run there are no models to load yet.
  const { definition } = dryRun ? { definition: null } : await readDefinition(options);
  return definition === null ? migrations : [...migrations, ...emitAccessMatrix(definition, out)];
}

type JsonObject = { readonly [key: string]: Json };

/** The models file, and the manifest if the project has none or lacks settings, or if this run wrote it: texts by path. */
export async function inputFiles(
  content: JsonObject,
  settings: JsonObject,
  { root, models, manifest, name }: IntrospectOptions,
  isNew = false,
): Promise<Map<string, string>> {
  const wanted: { readonly path: string; readonly content: object }[] = [
    { path: models, content: { $schema: schemaPath(models, "models"), ...content } },
  ];
  const { text } = await readInput(root, manifest);
  const found = text === null ? { $schema: schemaPath(manifest, "manifest"), name } : parsedJson(text);
  const whole = isJsonObject(found) ? withSettings(found, settings) : null;
  if (whole !== null && (text === null || isNew || JSON.stringify(whole) !== JSON.stringify(found)))
    wanted.push({ path: manifest, content: whole });
  const files = wanted.map(({ content: value }, index) => ({
    path: `${index}.json`,
    text: JSON.stringify(value, null, 2),
  }));
  const texts = await formatted(files);
  return new Map(wanted.map(({ path }, index) => [path, texts.get(`${index}.json`) ?? ""]));
}

/** The manifest with settings that it lacks. What it has stays. */
function withSettings(found: UnknownJson, settings: JsonObject): UnknownJson {
  const added = Object.entries(settings).map(([key, value]) => {
    const own = found[key];
    return [key, isJsonObject(own) && isJsonObject(value) ? { ...value, ...own } : (own ?? value)];
  });
  return { ...found, ...Object.fromEntries(added) };
}

function schemaPath(file: string, schema: string): string {
  return posix.relative(posix.dirname(file), `schemas/${schema}.schema.json`);
}
