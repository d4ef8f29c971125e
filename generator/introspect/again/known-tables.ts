import type { ModelDefinition, ServiceDefinition } from "../../definition/definition.ts";
import { tableNameOf } from "../../migrations/snapshot.ts";
import type { KnownTable, KnownTables } from "../as-found/tables-as-found.ts";

/** The names that a project has given to tables and columns. */
export function knownTables({ models }: ServiceDefinition): KnownTables {
  return new Map(models.map((model) => [tableNameOf(model), knownTable(model)]));
}

function knownTable({ key, columns, fields, relations }: ModelDefinition): KnownTable {
  const runtime = Object.entries(columns).flatMap(([name, column]) =>
    column === null ? [] : [[column.name, name] as const],
  );
  const names = [...runtime.map(([, name]) => name), ...[...fields, ...relations].map(({ name }) => name)];
  return {
    key,
    id: columns.id?.name ?? null,
    // A field with the column of the id has the last word.
    names: new Map([...runtime, ...fields.map((field) => [field.column, field.name] as const)]),
    taken: new Set(names.map((name) => name.toLowerCase())),
  };
}
