import type { CatalogSchema, CatalogTable } from "../../../vocabulary/migrations/catalog.ts";
import { type FoundParts, fillsItself, foundIdType, isFilledIn, lacksRequired } from "./found-model-json.ts";
import type { PlainKey } from "./found-relations.ts";
import { type FoundTable, type HeldColumn, isReadOnly, isView } from "./found-table.ts";
import type { FoundOptions } from "./tables-as-found.ts";

/** Something about a table that its model does not say, or that needs a decision. */
export interface FoundRemark {
  readonly kind: RemarkKind;
  /** `table.column`, a table, or another object. */
  readonly place: string;
  readonly text: string;
}

/** The kinds, with the text of the summary. */
export const remarkKinds = {
  "left-out": "columns that no field can hold",
  "no-create": "models without create and upsert: a required column has no field",
  "read-only": "models that can only be read: rows have no id",
  "id-type": "bigint ids that are JSON numbers",
  "foreign-key": "foreign keys that are plain fields",
  "out-of-range": "columns with values that are answered as null",
  "list-values": "lists with null or with nested lists",
  unread: "tables whose rows could not be searched in time",
  "soft-delete": "tables with a deleted_at, without soft_delete",
  view: "views that are not models (--views adds them)",
  trigger: "tables with triggers, which run as before",
  filled: "columns that a trigger sets",
  "kept-index": "indexes and constraints that only the database knows",
  "row-security": "tables with row-level security",
  definer: "functions that run with the rights of their owner",
  grants: "tables with rights of other roles, which the service does not check",
  rights: "tables with operations that the database refuses to this role",
  schema: "schemas that were not read",
  name: "tables that are not models because of their names",
  "hasura-closed": "permissions of Hasura that no rule can say: closed",
  hasura: "parts of the Hasura metadata that are left out, or differ",
} as const;

export type RemarkKind = keyof typeof remarkKinds;

/** A table in remarks, with its schema if it is not the first one. */
export function shownTable({ schema, source }: FoundTable, first: string): string {
  return schema === first ? source.name : `${schema}.${source.name}`;
}

/** The remarks on all tables. */
export function foundRemarks(
  schemas: readonly CatalogSchema[],
  tables: readonly FoundTable[],
  plain: readonly PlainKey[],
  parts: FoundParts,
  options: FoundOptions,
): FoundRemark[] {
  const first = schemas[0]?.name ?? "";
  return [
    ...tables.flatMap((table) => remarksOf(table, shownTable(table, first), parts)),
    ...plain.map(({ table, constraint, why }): FoundRemark => {
      const place = `${shownTable(table, first)}.${constraint.columns.join(",")}`;
      return { kind: "foreign-key", place, text: `${constraint.name}: ${why}` };
    }),
    ...schemas.flatMap((schema) => valuesIn(schema, tables, first)),
    ...schemas.flatMap((schema) => guardsIn(schema, first)),
    ...schemas.flatMap((schema) => filledIn(schema, tables, { first, parts })),
    ...schemas.flatMap((schema) => absentIn(schema, first, options)),
    ...(schemas[0]?.others ?? [])
      .filter(({ name }) => !schemas.some((schema) => schema.name === name))
      .map(
        ({ name, tables: count }): FoundRemark => ({
          ...{
            kind: "schema",
            place: name,
            text: `${count === 1 ? "1 table" : `${count} tables`}: add it to --schema`,
          },
        }),
      ),
  ];
}

function remarksOf(table: FoundTable, place: string, parts: FoundParts): FoundRemark[] {
  const { source, left, id } = table;
  const one = (kind: RemarkKind, text: string, at = place): FoundRemark => ({ kind, place: at, text });
  const isLargeId = id?.held.column === "bigint" && foundIdType(table, parts) === null;
  const extras = keptObjects(table);
  return [
    ...left.map(({ name, type, nullable, default: value }) => {
      const needed = !nullable && value === null ? ", and it is required" : "";
      return one("left-out", `no field can hold ${type}${needed}`, `${place}.${name}`);
    }),
    ...(!isReadOnly(table) && lacksRequired(table)
      ? [one("no-create", "a required column without a default has no field: keep create and upsert closed")]
      : []),
    ...(isReadOnly(table) && !table.view
      ? [one("read-only", "no column is a key by itself: the model has only fetch, search, count and exists")]
      : []),
    ...(isLargeId
      ? [
          one(
            "id-type",
            'ids are numbers, exact up to 2^53: "id_type": "bigint" makes them texts',
            `${place}.${id.source.name}`,
          ),
        ]
      : []),
    ...(id !== null && id.held.type === "uuid" && !fillsItself(id)
      ? [one("id-type", "the server makes the ids of new rows", `${place}.${id.source.name}`)]
      : []),
    ...source.columns
      .filter(({ name }) => name === "deleted_at")
      .map(() =>
        one(
          "soft-delete",
          'rows with a deleted_at are answered too: see "soft_delete"',
          `${place}.deleted_at`,
        ),
      ),
    ...(source.triggers.length === 0 ? [] : [one("trigger", source.triggers.join(", "))]),
    ...(extras.length === 0 ? [] : [one("kept-index", extras.join(", "))]),
  ];
}

/** Names of checks, partial and expression indexes, and other constraints that models cannot express. */
function keptObjects({ source, columns }: FoundTable): string[] {
  const isField = (name: string) => columns.some((column) => column.source.name === name);
  return [
    ...source.indexes
      .filter(({ columns: of, predicate }) => of === null || predicate !== null || !of.every(isField))
      .map(({ name }) => name),
    ...source.constraints
      .filter(({ kind }) => kind === "check" || kind === "exclusion")
      .map(({ name }) => name),
  ].toSorted();
}

function valuesIn(
  { name, arrays, values }: CatalogSchema,
  tables: readonly FoundTable[],
  first: string,
): FoundRemark[] {
  const placeOf = (table: string, column: string) => {
    const found = tables.find((one) => one.schema === name && one.source.name === table);
    const held: HeldColumn | undefined = found?.columns.find(({ source }) => source.name === column);
    return found === undefined || held === undefined ? null : `${shownTable(found, first)}.${column}`;
  };
  return [
    ...values.flatMap(({ table, column, problem, rows, select }): FoundRemark[] => {
      const place = placeOf(table, column);
      if (place === null || problem !== "unheld") return [];
      if (rows === null)
        return [
          {
            kind: "unread",
            place,
            text: 'add "out_of_range": "null" if it has infinity, NaN or similar values',
          },
        ];
      return [{ kind: "out-of-range", place, text: `${rows} ${rows === 1 ? "row" : "rows"}: ${select}` }];
    }),
    ...arrays.flatMap(({ table, column, nulls, nested }): FoundRemark[] => {
      const place = placeOf(table, column);
      if (place === null) return [];
      if (nulls === null || nested === null)
        return [{ kind: "unread", place, text: "lists can hold null or lists" }];
      return [
        {
          kind: "list-values",
          place,
          text: `${nulls ? "null" : "lists"} in lists: requests cannot write them`,
        },
      ];
    }),
  ];
}

const guardKinds = {
  definer: "definer",
  policies: "row-security",
  grants: "grants",
  rights: "rights",
} as const;

function guardsIn({ name, guards }: CatalogSchema, first: string): FoundRemark[] {
  return guards.map(({ kind, object, text }) => ({
    ...{ kind: guardKinds[kind], text },
    place: name === first ? object : `${name}.${object}`,
  }));
}

/** Fields that triggers set, and callers could send in vain. */
function filledIn(
  { name, filled }: CatalogSchema,
  tables: readonly FoundTable[],
  { first, parts }: { readonly first: string; readonly parts: FoundParts },
): FoundRemark[] {
  return tables
    .filter(({ schema }) => schema === name)
    .flatMap((table) =>
      table.columns.flatMap((column): FoundRemark[] => {
        const triggers = filled.filter(
          (one) => one.table === table.source.name && one.column === column.source.name,
        );
        if (triggers.length === 0 || (column.place !== "field" && isFilledIn(table, column, parts)))
          return [];
        const names = [...new Set(triggers.map(({ trigger }) => trigger))].join(", ");
        const some = triggers.some(({ always }) => always) ? "" : " sets it under conditions";
        const text = `${names}${some}: add "generated": true if callers must not send it`;
        return [{ kind: "filled", place: `${shownTable(table, first)}.${column.source.name}`, text }];
      }),
    );
}

/** Tables and views that do not become models. */
function absentIn(schema: CatalogSchema, first: string, { views }: FoundOptions): FoundRemark[] {
  const placeOf = ({ name }: CatalogTable) => (schema.name === first ? name : `${schema.name}.${name}`);
  const hidden = views ? [] : schema.tables.filter(isView);
  return [
    ...hidden.map((table): FoundRemark => ({ kind: "view", place: placeOf(table), text: table.kind })),
    ...schema.tables
      .filter(({ name }) => name.includes("."))
      .map((table): FoundRemark => ({ kind: "name", place: placeOf(table), text: "its name has a point" })),
  ];
}
