import type { Column } from "../../../vocabulary/migrations/migration-steps.ts";
import { escapeInvisible } from "../../emit/literal.ts";
import type { DatabaseChanges } from "./database-changes.ts";
import type { ChangedModel } from "./edit-models.ts";
import { isSameKey } from "./table-changes.ts";

/** Lines for changes, before the rest is only counted. */
const maxLines = 30;

/** One line for each change of the database, at most 31. */
export function printChanges(changes: DatabaseChanges): string {
  const { changed, dropped, added, objects } = changes;
  const lines = [
    ...added.map(
      ({ key, columns: { length }, view }) =>
        `${key}: new ${view ? "view" : "table"}, ${length} ${length === 1 ? "column" : "columns"}`,
    ),
    ...dropped.map(({ model }) => `${model}: the table is gone`),
    ...changed.flatMap((one) => tableLines(one).map((text) => `${one.model.key}: ${text}`)),
    ...objects.map(({ object: { table, kind, name }, isGone }) => {
      const place = /view$/.test(kind) ? "" : ` of ${table}`;
      return `${kind.replace("_", " ")} ${name}${place}: ${isGone ? "is gone" : "is altered"}`;
    }),
  ].map(escapeInvisible);
  const more = lines.length - maxLines;
  return [...lines.slice(0, maxLines), ...(more > 0 ? [`and ${more} more`] : [])]
    .map((line) => `${line}\n`)
    .join("");
}

function tableLines({ change }: ChangedModel): string[] {
  const { was, now, added, dropped, retyped, renulled, redefaulted, unheld, indexes, foreignKeys } = change;
  const former = ({ name }: Column) => was.columns.find((column) => column.name === name)?.type ?? "";
  const isRetyped = (column: Column) => retyped.includes(column);
  const lines = [
    ...added.map(({ name, type }) => `new column "${name}" (${type})`),
    ...dropped.map(({ name }) => `the column "${name}" is gone`),
    ...retyped.map((column) =>
      former(column) === column.type
        ? `the type of "${column.name}" has other values: ${column.values?.join(", ") ?? "none"}`
        : `the column "${column.name}" is ${column.type}, was ${former(column)}`,
    ),
    ...renulled.map(
      ({ name, nullable }) => `the column "${name}" is ${nullable ? "optional" : "required"} now`,
    ),
    ...redefaulted
      .filter((column) => !isRetyped(column))
      .map(({ name }) => `the default of "${name}" is another one`),
    ...unheld.map(
      ({ name }) => `the column "${name}" has a type now that no field can hold: nothing is changed`,
    ),
    ...foreignKeys.come.map(({ column, references }) => `"${column}" refers to ${references.table} now`),
    ...foreignKeys.gone
      .filter(
        ({ column }) => !foreignKeys.come.some((key) => key.column === column) && !isOf(column, dropped),
      )
      .map(({ column, references }) => `"${column}" no longer refers to ${references.table}`),
    ...indexes.come
      .filter((index) => !indexes.gone.some((other) => isSameKey(index, other)))
      .map(({ columns, unique }) => `new ${unique ? "unique key" : "index"} (${columns.join(", ")})`),
    ...indexes.gone
      .filter((index) => !indexes.come.some((other) => isSameKey(index, other)))
      .filter(({ columns }) => !columns.some((column) => isOf(column, dropped)))
      .map(({ columns, unique }) => `the ${unique ? "unique key" : "index"} (${columns.join(", ")}) is gone`),
  ];
  return lines.length > 0 || was === now ? lines : ["keys or indexes have other names"];
}

function isOf(column: string, columns: readonly Column[]): boolean {
  return columns.some(({ name }) => name === column);
}
