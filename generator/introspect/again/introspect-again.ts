import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Json } from "../../../vocabulary/json.ts";
import { placeOfTable } from "../../../vocabulary/migrations/check-sql.ts";
import type { FoundObject } from "../../../vocabulary/migrations/found-objects.ts";
import type { Migration } from "../../../vocabulary/migrations/migration-steps.ts";
import { lockFile } from "../../../vocabulary/models-folder.ts";
import type { ServiceDefinition } from "../../definition/definition.ts";
import { renderDiagnostics } from "../../diagnostics/index.ts";
import { Stop, type StopProblem, stopOf } from "../../diagnostics/stop.ts";
import { emitMigrations } from "../../emit/emit.ts";
import { formatOutput, formatted } from "../../format/format.ts";
import { modelFiles } from "../../load/files.ts";
import type { CustomMigration } from "../../load/read-custom-migrations.ts";
import { differences } from "../../migrations/diff.ts";
import { nextNumber, type PlannedMigration, stepsBack } from "../../migrations/plan.ts";
import { planChanges } from "../../migrations/plan-changes.ts";
import { type History, requireHistory } from "../../migrations/read-history.ts";
import type { Snapshot, Table } from "../../migrations/schema.ts";
import { tableNameOf } from "../../migrations/snapshot.ts";
import { changesTo } from "../../output/file-changes.ts";
import { type OutputFolder, readOutputFolder } from "../../output/output-folder.ts";
import { requireOutput } from "../../output/output-problems.ts";
import { replaceFile, save } from "../../output/save.ts";
import { readDefinition } from "../../pipeline/generate.ts";
import { adoptAsFound } from "../as-found/adopt-as-found.ts";
import { foundBaselineTables } from "../as-found/found-baseline.ts";
import type { FoundRemark } from "../as-found/found-remarks.ts";
import type { FoundTable } from "../as-found/found-table.ts";
import {
  type AsFoundOptions,
  brokenProblem,
  type FoundDatabase,
  inTemporaryFolder,
} from "../as-found/introspect-as-found.ts";
import type { IntrospectOptions } from "../existing.ts";
import {
  type ChangedModel,
  editedModels,
  entriesOf,
  type JsonEntries,
  type ModelChanges,
} from "./edit-models.ts";
import { editedText } from "./edit-text.ts";
import { knownTables } from "./known-tables.ts";
import { foundSince, type ObjectChange, objectChanges } from "./object-changes.ts";
import { isChange, tableChange } from "./table-changes.ts";

/** A project with models, and the schemas that they name besides the first one of the search path. */
export interface ModelsBefore {
  readonly definition: ServiceDefinition;
  readonly customMigrations: readonly CustomMigration[];
  readonly schemas: readonly string[];
}

/** How the database differs from the last migration. */
export interface DatabaseChanges {
  readonly changed: readonly ChangedModel[];
  readonly dropped: readonly Table[];
  readonly added: readonly FoundTable[];
  readonly objects: readonly ObjectChange[];
}

export type Again =
  | { readonly problem: StopProblem; readonly exitCode: 1 | 2 }
  | {
      readonly changes: DatabaseChanges;
      readonly remarks: readonly FoundRemark[];
      /** Paths of the files that are written, or would be. */
      readonly written: readonly string[];
      /** Null without a difference. */
      readonly migration: Migration | null;
    };

type Problem = Extract<Again, { readonly problem: unknown }>;

/** The models of the project, before the database is read. */
export async function modelsBefore(options: IntrospectOptions): Promise<ModelsBefore | Problem> {
  const { definition, customMigrations, diagnostics, sources } = await readDefinition(options);
  if (definition === null) {
    const details = `${renderDiagnostics(diagnostics, sources)}\n`;
    return {
      problem: { kind: "existing", message: "the models have errors", details, fix: "correct them" },
      exitCode: 2,
    };
  }
  const schemas = definition.models.flatMap(({ schemaName, builtIn }) => (builtIn ? [] : (schemaName ?? [])));
  return { definition, customMigrations, schemas: [...new Set(schemas)] };
}

/**
 * Compares the database with the last migration, and changes models and migrations by the difference. `applied` has the names of the
 * migrations that the database has. With `dryRun` it writes nothing. Throws only for bugs.
 */
export async function introspectAgain(
  database: FoundDatabase & { readonly history: readonly string[] },
  before: ModelsBefore,
  options: AsFoundOptions,
): Promise<Again> {
  try {
    requireOutput(options, [options.models, options.manifest]);
    const folder = readOutputFolder(join(options.root, options.out));
    const history = await currentHistory(folder, database.history, before, options);
    return await compare(database, { ...before, history, folder }, options);
  } catch (error) {
    const stop = stopOf(error);
    const [problem] = stop?.reasons.problems ?? [];
    if (stop === null || problem === undefined) throw error;
    return { problem, exitCode: 2 };
  }
}

/** The migrations, if models and database have all of their changes. Throws a Stop otherwise. */
async function currentHistory(
  folder: OutputFolder,
  applied: readonly string[],
  { definition, customMigrations }: ModelsBefore,
  { models, manifest, out }: AsFoundOptions,
): Promise<History> {
  const flags = { models, manifest, out, force: false, accepted: [], rebase: [], base: null };
  const history = await requireHistory(folder, flags);
  const { plan } = planChanges(definition, { history, customMigrations }, new Map(), flags);
  if (plan.migration !== null || plan.customLinks.some(({ isNew }) => isNew))
    throw stopFor("the models have changes without a migration", "npm run generate");
  const pending = history.names.filter((name) => !applied.includes(name));
  if (pending.length > 0)
    throw stopFor(`the database lacks migrations of the project: ${pending.join(", ")}`, "npm run migrate");
  return history;
}

function stopFor(message: string, command: string): Stop {
  const text = `${message}, so the two cannot be compared; nothing is written`;
  return new Stop(2, {
    problems: [{ kind: "existing", message: text, details: "", fix: `${command}, then introspect again` }],
  });
}

interface Project extends ModelsBefore {
  readonly history: History;
  readonly folder: OutputFolder;
}

async function compare(database: FoundDatabase, project: Project, options: AsFoundOptions): Promise<Again> {
  const { definition, history, folder } = project;
  const { home, schemas, objects } = database;
  const before = history.snapshot.tables;
  const found = adoptAsFound(schemas, { ...options, home, known: knownTables(definition) });
  const service = schemas.some(({ name }) => name === home) ? {} : { service_schema: home };
  const { definition: fresh, inputs, errors } = await inTemporaryFolder(found, service, options, null);
  if (fresh === null) return { problem: brokenProblem(errors), exitCode: 2 };
  const freshTables = new Map(foundBaselineTables(fresh, found.tables).map((table) => [table.name, table]));
  const sources = new Map(found.tables.map((table) => [nameOf(table), table]));
  const models = entriesOf(asJson(inputs.get(options.models) ?? ""));
  const isRead = ({ name }: Table) =>
    schemas.some((schema) => schema.name === (placeOfTable(name).schema ?? home));
  const compared = before.filter((table) => table.found === true && isRead(table));
  const changed = compared.flatMap((was): ChangedModel[] => {
    const [now, table] = [freshTables.get(was.name), sources.get(was.name)];
    const model = definition.models.find((one) => tableNameOf(one) === was.name && !one.builtIn);
    if (now === undefined || table === undefined || model === undefined) return [];
    const change = tableChange(was, now, table.source);
    const names = new Map(table.columns.map(({ source, name }) => [source.name, name]));
    return isChange(change) ? [{ change, model, names, fresh: entriesOf(models[model.key]) }] : [];
  });
  const dropped = compared.filter(({ name }) => !sources.has(name));
  const known = new Set([...before.map(({ name }) => name), ...definition.models.map(tableNameOf)]);
  const added = found.tables.filter((table) => !known.has(nameOf(table)));
  const after = [
    ...before.flatMap((table) => {
      if (dropped.includes(table)) return [];
      return [changed.find(({ change }) => change.was === table)?.change.now ?? table];
    }),
    ...added.flatMap((table) => freshTables.get(nameOf(table)) ?? []),
  ];
  const ours = foundObjects(objects, after);
  const since = foundSince(history, folder, options.out);
  const changes = { changed, dropped, added, objects: objectChanges(since, ours, before, after) };
  const remarks = found.remarks.filter(({ place }) => isAbout(place, changes, home));
  const isSame = [changed, dropped, added, changes.objects].every(({ length }) => length === 0);
  if (isSame) return { changes, remarks, written: [], migration: null };
  const planned = foundMigration(history, before, after, ours);
  const edits: ModelChanges = {
    changed,
    dropped: dropped.map(({ model }) => model),
    added: Object.fromEntries(added.map(({ key }) => [key, models[key] ?? {}])),
    collections: newCollections(models, changes),
  };
  const written = await write(planned, { migration: planned.name, tables: after }, edits, folder, options);
  const { name, parent, changes: steps, down } = planned;
  return {
    ...{ changes, remarks, written },
    migration: { name, parent, up: steps.map(({ step }) => step), down, found: ours },
  };
}

function nameOf({ schemaName, source }: FoundTable): string {
  return tableNameOf({ schemaName, table: source.name, builtIn: false });
}

function foundObjects(objects: readonly FoundObject[], tables: readonly Table[]): FoundObject[] {
  const found = new Set(tables.flatMap((table) => (table.found === true ? [table.name] : [])));
  return objects.filter(({ table, kind }) => found.has(table) || /view$/.test(kind));
}

function foundMigration(
  { names }: History,
  before: readonly Table[],
  after: readonly Table[],
  found: readonly FoundObject[],
): PlannedMigration {
  return {
    name: `${nextNumber(names)}_as_found`,
    parent: names.at(-1) ?? null,
    changes: differences(before, after, []),
    down: stepsBack(after, before, []),
    found,
  };
}

/** The collections of each model through new models and new foreign keys. */
function newCollections(
  models: JsonEntries,
  { added, changed }: DatabaseChanges,
): ReadonlyMap<string, JsonEntries> {
  const keys = new Set(added.map(({ key }) => key));
  const isNew = (json: Json) => {
    const { type, relationship } = entriesOf(json);
    const { model: of, foreign_key: by } = entriesOf(relationship);
    if (type !== "has_many") return false;
    return (
      keys.has(String(of)) ||
      changed.some(
        ({ model, change, names }) =>
          model.key === of && change.foreignKeys.come.some(({ column }) => names.get(column) === by),
      )
    );
  };
  return new Map(
    Object.entries(models).map(([key, model]) => [
      key,
      Object.fromEntries(
        Object.entries(entriesOf(entriesOf(model)["fields"])).filter(([, json]) => isNew(json)),
      ),
    ]),
  );
}

/** Writes the migration, then the models: a run that is killed in between loses nothing. Returns the paths. */
async function write(
  planned: PlannedMigration,
  schema: Snapshot,
  edits: ModelChanges,
  folder: OutputFolder,
  { root, models, out, dryRun }: AsFoundOptions,
): Promise<string[]> {
  const emitted = emitMigrations([planned], schema, models, out);
  const own = new Set([...emitted.map(({ path }) => path), lockFile]);
  const kept = [...folder.files.keys()].filter((path) => !own.has(path));
  const texts = await formatOutput(emitted, { kept, models: folder.lock.models }, folder);
  const { written } = changesTo(folder, texts, []);
  const files = await editedFiles(edits, { root, models });
  if (!dryRun) {
    save(join(root, out), written);
    for (const [path, text] of files) replaceFile(join(root, path), text);
  }
  return [...files.keys(), ...written.map(({ path }) => `${out}/${path}`)];
}

/** The models files that change, with their texts. */
async function editedFiles(
  edits: ModelChanges,
  { root, models }: Pick<AsFoundOptions, "root" | "models">,
): Promise<ReadonlyMap<string, string>> {
  const files = (await modelFiles(root, models)).flatMap((path) => {
    const text = readFileSync(join(root, path), "utf8");
    const before = entriesOf(asJson(text));
    const edited = editedText(text, before, editedModels(before, edits, path === models));
    return edited === text ? [] : [{ path, text: edited }];
  });
  const texts = await formatted(files.map(({ text }, index) => ({ path: `${index}.json`, text })));
  return new Map(files.map(({ path, text }, index) => [path, texts.get(`${index}.json`) ?? text]));
}

function asJson(text: string): Json {
  return JSON.parse(text);
}

/** Whether a remark is about something that has changed. */
function isAbout(place: string, { added, changed }: DatabaseChanges, home: string): boolean {
  const shown = (name: string) => (name.startsWith(`${home}.`) ? name.slice(home.length + 1) : name);
  return (
    added.some((table) => place === nameOf(table) || place.startsWith(`${nameOf(table)}.`)) ||
    changed.some(({ change }) =>
      [...change.added, ...change.retyped].some(({ name }) => place === `${shown(change.was.name)}.${name}`),
    )
  );
}
