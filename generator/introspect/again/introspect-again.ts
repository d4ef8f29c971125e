import { join } from "node:path";
import type { FoundObject } from "../../../vocabulary/migrations/found-objects.ts";
import type { Migration } from "../../../vocabulary/migrations/migration-steps.ts";
import type { ServiceDefinition } from "../../definition/definition.ts";
import { renderDiagnostics } from "../../diagnostics/index.ts";
import { Stop, type StopProblem, stopOf } from "../../diagnostics/stop.ts";
import type { CustomMigration } from "../../load/read-custom-migrations.ts";
import { differences } from "../../migrations/diff.ts";
import { recreatedEnums } from "../../migrations/enum-values.ts";
import { nextNumber, type PlannedMigration, stepsBack } from "../../migrations/plan.ts";
import { planChanges } from "../../migrations/plan-changes.ts";
import { type History, requireHistory } from "../../migrations/read-history.ts";
import type { Table } from "../../migrations/schema.ts";
import { type OutputFolder, readOutputFolder } from "../../output/output-folder.ts";
import { requireOutput } from "../../output/output-problems.ts";
import { readDefinition } from "../../pipeline/generate.ts";
import { adoptAsFound } from "../as-found/adopt-as-found.ts";
import { foundBaselineTables } from "../as-found/found-baseline.ts";
import {
  type AsFoundOptions,
  brokenProblem,
  type FoundDatabase,
  inTemporaryFolder,
} from "../as-found/introspect-as-found.ts";
import type { IntrospectOptions } from "../existing.ts";
import { type DatabaseChanges, databaseChanges } from "./database-changes.ts";
import { entriesOf } from "./json-entries.ts";
import { knownTables } from "./known-tables.ts";
import { foundSince } from "./object-changes.ts";
import { asJson, modelsChanges, writeChanges } from "./write-changes.ts";

/** A project with models, and the schemas of their tables: null is the first one of the search path, and the first one here. */
export interface ModelsBefore {
  readonly definition: ServiceDefinition;
  readonly customMigrations: readonly CustomMigration[];
  readonly schemas: readonly (string | null)[];
}

/** The result of a run, or its problem. */
export type Again =
  | { readonly problem: StopProblem; readonly exitCode: 1 | 2 }
  | {
      readonly changes: DatabaseChanges;
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
  const named = new Set(
    definition.models.flatMap(({ schemaName, builtIn }) => (builtIn ? [] : [schemaName])),
  );
  const schemas = [...named].toSorted((one, other) => Number(one !== null) - Number(other !== null));
  return { definition, customMigrations, schemas };
}

/**
 * Compares the database with the last migration, and changes models and migrations by the difference. `history` has the names of the
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

/** The project of a run. */
interface Project extends ModelsBefore {
  readonly history: History;
  readonly folder: OutputFolder;
}

async function compare(
  database: FoundDatabase,
  { definition, history, folder }: Project,
  options: AsFoundOptions,
): Promise<Again> {
  const { home, schemas } = database;
  const before = history.snapshot.tables;
  const found = adoptAsFound(schemas, { ...options, home, known: knownTables(definition) });
  const { serviceSchema } = definition;
  const service = serviceSchema === null ? {} : { service_schema: serviceSchema };
  const { definition: fresh, inputs, errors } = await inTemporaryFolder(found, service, options, null);
  if (fresh === null) return { problem: brokenProblem(errors), exitCode: 2 };
  const models = entriesOf(asJson(inputs.get(options.models) ?? "{}"));
  const changes = databaseChanges(
    database,
    { definition, before },
    { found, models, tables: foundBaselineTables(fresh, found.tables) },
    foundSince(history, folder, options.out),
  );
  const { changed, dropped, added, objects, tables } = changes;
  if ([changed, dropped, added, objects].every(({ length }) => length === 0))
    return { changes, written: [], migration: null };
  const planned = foundMigration(history, tables, changes.found);
  const { name, parent, changes: steps, down } = planned;
  const edits = modelsChanges(models, changes);
  const written = await writeChanges(planned, { migration: name, tables }, edits, folder, options);
  return {
    ...{ changes, written },
    migration: { name, parent, up: steps.map(({ step }) => step), down, found: changes.found },
  };
}

function foundMigration(
  { names, snapshot }: History,
  after: readonly Table[],
  found: readonly FoundObject[],
): PlannedMigration {
  const { tables, changes } = recreatedEnums(snapshot.tables, after);
  return {
    name: `${nextNumber(names)}_as_found`,
    parent: names.at(-1) ?? null,
    changes: [...changes, ...differences(tables, after, [])],
    down: stepsBack(after, snapshot.tables, []),
    found,
  };
}
