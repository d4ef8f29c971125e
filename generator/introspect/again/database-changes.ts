import { placeOfTable } from "../../../vocabulary/migrations/check-sql.ts";
import type { FoundObject } from "../../../vocabulary/migrations/found-objects.ts";
import type { ServiceDefinition } from "../../definition/definition.ts";
import type { Table } from "../../migrations/schema.ts";
import { tableNameOf } from "../../migrations/snapshot.ts";
import type { FoundModels } from "../as-found/adopt-as-found.ts";
import type { FoundRemark } from "../as-found/found-remarks.ts";
import type { FoundTable } from "../as-found/found-table.ts";
import type { FoundDatabase } from "../as-found/introspect-as-found.ts";
import type { ChangedModel } from "./edit-models.ts";
import { entriesOf, type JsonEntries } from "./json-entries.ts";
import { type FoundSince, type ObjectChange, objectChanges } from "./object-changes.ts";
import { isChange, tableChange } from "./table-changes.ts";

/** How the database differs from the last migration. */
export interface DatabaseChanges {
  readonly changed: readonly ChangedModel[];
  readonly dropped: readonly Table[];
  readonly added: readonly FoundTable[];
  readonly objects: readonly ObjectChange[];
  readonly remarks: readonly FoundRemark[];
  /** The tables after the changes, and the objects of the found ones. */
  readonly tables: readonly Table[];
  readonly found: readonly FoundObject[];
}

/** An introspection from the start, with the names of the project. */
export interface Fresh {
  readonly found: FoundModels;
  readonly tables: readonly Table[];
  readonly models: JsonEntries;
}

/** Compares the tables of the last migration with the database. Schemas that were not read stay as they are. */
export function databaseChanges(
  { home, schemas, objects }: FoundDatabase,
  { definition, before }: { readonly definition: ServiceDefinition; readonly before: readonly Table[] },
  { found, tables: freshTables, models }: Fresh,
  since: FoundSince,
): DatabaseChanges {
  const fresh = new Map(freshTables.map((table) => [table.name, table]));
  const sources = new Map(found.tables.map((table) => [foundName(table), table]));
  const isRead = ({ name }: Table) =>
    schemas.some((schema) => schema.name === (placeOfTable(name).schema ?? home));
  const compared = before.filter((table) => table.found === true && isRead(table));
  const changed = compared.flatMap((was): ChangedModel[] => {
    const [now, table] = [fresh.get(was.name), sources.get(was.name)];
    const model = definition.models.find((one) => tableNameOf(one) === was.name && !one.builtIn);
    if (now === undefined || table === undefined || model === undefined) return [];
    const change = tableChange(was, now, table.source);
    const names = new Map(table.columns.map(({ source, name }) => [source.name, name]));
    return isChange(change) ? [{ change, model, names, fresh: entriesOf(models[model.key]) }] : [];
  });
  const dropped = compared.filter(({ name }) => !sources.has(name));
  const known = new Set([...before.map(({ name }) => name), ...definition.models.map(tableNameOf)]);
  const added = found.tables.filter((table) => !known.has(foundName(table)));
  const tables = [
    ...before.flatMap((table) => {
      if (dropped.includes(table)) return [];
      return [changed.find(({ change }) => change.was === table)?.change.now ?? table];
    }),
    ...added.flatMap((table) => fresh.get(foundName(table)) ?? []),
  ];
  const ours = objectsOf(objects, tables);
  return {
    ...{ changed, dropped, added, tables, found: ours },
    objects: objectChanges(since, ours, before, tables).filter((one) => !isOfColumn(one, changed)),
    remarks: found.remarks.filter(({ place }) => isAbout(place, added, changed, home)),
  };
}

/** The name of a found table in steps. */
export function foundName({ schemaName, source }: FoundTable): string {
  return tableNameOf({ schemaName, table: source.name, builtIn: false });
}

function objectsOf(objects: readonly FoundObject[], tables: readonly Table[]): FoundObject[] {
  const found = new Set(tables.flatMap((table) => (table.found === true ? [table.name] : [])));
  return objects.filter(({ table, kind }) => found.has(table) || /view$/.test(kind));
}

/** Whether an object is the default of a column that has changed itself. */
function isOfColumn({ object }: ObjectChange, changed: readonly ChangedModel[]): boolean {
  return changed.some(
    ({ change: { was, dropped, retyped, redefaulted } }) =>
      object.kind === "default" &&
      object.table === was.name &&
      [...dropped, ...retyped, ...redefaulted].some(({ name }) => name === object.name),
  );
}

/** Whether a remark is about something that has changed. */
function isAbout(
  place: string,
  added: readonly FoundTable[],
  changed: readonly ChangedModel[],
  home: string,
): boolean {
  const shown = (name: string) => (name.startsWith(`${home}.`) ? name.slice(home.length + 1) : name);
  const isOf = (name: string) => place === name || place.startsWith(`${name}.`);
  return (
    added.some((table) => isOf(foundName(table))) ||
    changed.some(({ change }) =>
      [...change.added, ...change.retyped].some(({ name }) => place === `${shown(change.was.name)}.${name}`),
    )
  );
}
