import type { FoundObject } from "../../../vocabulary/migrations/found-objects.ts";
import type { Step } from "../../../vocabulary/migrations/migration-steps.ts";
import { readMigration } from "../../migrations/migration-header.ts";
import type { History } from "../../migrations/read-history.ts";
import type { Table } from "../../migrations/schema.ts";
import { migrationPath } from "../../output/output-files.ts";
import type { OutputFolder } from "../../output/output-folder.ts";

/** A trigger, view, policy or similar object that the database has dropped or altered since it was found. */
export interface ObjectChange {
  readonly object: FoundObject;
  readonly isGone: boolean;
}

/** The list of objects of the last migration that has one, and the steps after it. */
export interface FoundSince {
  readonly objects: readonly FoundObject[];
  readonly steps: readonly Step[];
}

/** Reads the last list of objects from the migrations in the output folder `out`. */
export function foundSince({ names, links }: History, { files }: OutputFolder, out: string): FoundSince {
  const texts = names
    .filter((name) => !links.has(name))
    .map((name) => ({ path: migrationPath(name), text: files.get(migrationPath(name)) ?? "" }));
  const last = texts.findLastIndex(({ text }) => /^ {2}found: \[/m.test(text));
  const read = texts.slice(Math.max(last, 0)).map(({ path, text }) => readMigration(`${out}/${path}`, text));
  const [first, ...later] = read;
  if (last < 0) return { objects: [], steps: read.flatMap(({ up }) => up) };
  return { objects: first?.found ?? [], steps: later.flatMap(({ up }) => up) };
}

/** The changes of objects that no table of a migration describes. Further objects are no change. */
export function objectChanges(
  { objects, steps }: FoundSince,
  now: readonly FoundObject[],
  before: readonly Table[],
  after: readonly Table[],
): ObjectChange[] {
  const digests = new Map(now.map((object) => [keyOf(object), object.digest]));
  const described = new Set([...before, ...after].flatMap(describedBy));
  const tables = new Set(after.map(({ name }) => name));
  // PostgreSQL drops objects with their columns.
  const shrunk = new Set(steps.flatMap(({ step, table }) => (/^(?:drop|rename)_/.test(step) ? [table] : [])));
  return objects.flatMap((object): ObjectChange[] => {
    const { table, kind } = object;
    const digest = digests.get(keyOf(object));
    const isGone = digest === undefined;
    if (digest === object.digest || described.has(keyOf(object)) || (isGone && shrunk.has(table))) return [];
    return tables.has(table) || /view$/.test(kind) ? [{ object, isGone }] : [];
  });
}

function keyOf({ table, kind, name }: Pick<FoundObject, "table" | "kind" | "name">): string {
  return JSON.stringify([table, kind, name]);
}

/** The keys of the objects that a table describes itself. The text of an unmanaged default or an expression is not described. */
function describedBy({ name: table, primaryKey, columns, indexes, foreignKeys, checks }: Table): string[] {
  const keys = (kind: FoundObject["kind"], names: readonly string[]) =>
    names.map((name) => keyOf({ table, kind, name }));
  const isLiteral = (value: unknown) => typeof value === "object" && value !== null && "literal" in value;
  const known = indexes.map(({ name }) => name);
  return [
    ...keys("primary_key", primaryKey === undefined ? [] : [primaryKey.name]),
    ...keys(
      "default",
      columns.flatMap(({ name, default: value }) => (isLiteral(value) ? [name] : [])),
    ),
    ...keys("index", known),
    ...keys("unique", known),
    ...keys(
      "foreign_key",
      foreignKeys.map(({ name }) => name),
    ),
    ...keys(
      "check",
      checks.map(({ name }) => name),
    ),
  ];
}
