import type { CatalogValues } from "../../vocabulary/catalog.ts";
import type { Draft } from "./draft.ts";
import type { Remark } from "./remarks.ts";

const outcomes: Readonly<Record<CatalogValues["problem"], string>> = {
  unheld:
    "hold a value that the API has no form for (infinity, NaN, a year before 1 or after 9999, 24:00:00): a read that meets one is 500 DATABASE_ERROR",
  finer: "hold a time finer than milliseconds: npm run migrate rounds it",
};

/** What rows hold that the API answers in another form, or not at all. */
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
        "its rows could not be looked through: a read of infinity, NaN and the like is 500 DATABASE_ERROR",
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
