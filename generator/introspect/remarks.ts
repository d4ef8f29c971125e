import type {
  CatalogArrays,
  CatalogSchema,
  CatalogTable,
  CatalogValues,
} from "../../vocabulary/migrations/catalog.ts";
import { type Draft, fieldOf } from "./draft.ts";

const kinds: readonly [CatalogTable["kind"], string][] = [
  ["partitioned table", "partitioned tables"],
  ["partition", "partitions"],
  ["view", "views"],
  ["materialized view", "materialized views"],
  ["foreign table", "foreign tables"],
];

/** Objects of the schema other than tables, and objects of other schemas. */
export function absentRemarks({ tables, others }: CatalogSchema): Remark[] {
  const absent = kinds.flatMap(([kind, plural]): Remark[] => {
    const names = tables.filter((table) => table.kind === kind).map(({ name }) => name);
    if (names.length === 0) return [];
    return [
      { table: null, what: `${plural} ${names.join(", ")}`, outcome: "they stay, but do not become models" },
    ];
  });
  return [
    ...absent,
    ...others.map(({ name, tables: count }) => ({
      table: null,
      what: `schema ${name} (${count === 1 ? "1 table" : `${count} tables`})`,
      outcome: "it was not read",
    })),
  ];
}

const outcomes: Readonly<Record<CatalogValues["problem"], string>> = {
  unheld:
    "have a value that the API cannot return (infinity, NaN, a year before 1 or after 9999, 24:00:00): reading it fails with 500 DATABASE_ERROR",
  finer: "have a time more precise than milliseconds: npm run migrate rounds it",
};

/** Values that the API returns in another form, or cannot return. */
export function valueRemarks(values: readonly CatalogValues[], drafts: readonly Draft[]): Remark[] {
  const ours = values.filter(({ table, column }) =>
    drafts.some(
      (draft) => draft.source.name === table && draft.columns.some(({ source }) => source.name === column),
    ),
  );
  const unread = new Set(ours.flatMap(({ table, rows }) => (rows === null ? [table] : [])));
  return [
    ...[...unread].map((table) => ({
      table,
      what: "values",
      outcome:
        "its rows could not be searched: reading infinity, NaN or similar values fails with 500 DATABASE_ERROR",
    })),
    ...ours.flatMap(({ table, column, problem, rows, select }): Remark[] =>
      rows === null
        ? []
        : [
            {
              table,
              what: `column ${table}.${column}`,
              outcome: `${rows} ${rows === 1 ? "row" : "rows"} ${outcomes[problem]}. Find them: ${select}`,
              loud: true,
            },
          ],
    ),
  ];
}

/** An object that models cannot express, and the consequence. */
export interface Remark {
  /** Null for objects outside tables that become models. */
  readonly table: string | null;
  /** `column fulltext (tsvector)`. */
  readonly what: string;
  /** What happens to it. */
  readonly outcome: string;
  /** Whether something stops working or needs manual work. */
  readonly loud?: true;
}

/** Arrays with NULL or nested arrays, which lists cannot contain. */
export function arrayRemarks(arrays: readonly CatalogArrays[], drafts: readonly Draft[]): Remark[] {
  return arrays.flatMap(({ table, column, nulls, nested }) => {
    const draft = drafts.find(({ source }) => source.name === table);
    const field = draft === undefined ? null : fieldOf(draft, column);
    if (field === null) return [];
    const what = `column ${column} (${field.source.type})`;
    const remark = (outcome: string, loud = true): Remark =>
      loud ? { table, what, outcome, loud } : { table, what, outcome };
    if (nulls === null || nested === null)
      return [
        remark("its rows could not be searched: lists of a field contain neither NULL nor lists", false),
      ];
    return [
      ...(nulls ? [remark(`${holds("NULL")}: remove them, for example with array_remove`)] : []),
      ...(nested ? [remark(`${holds("lists")}: make each of them a plain list`)] : []),
    ];
  });
}

function holds(what: string): string {
  return `some of its lists contain ${what}, which fields do not allow. Requests cannot write such a list, and can fail on reading it`;
}
