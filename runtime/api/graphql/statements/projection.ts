import { elementKindOf, type FieldKind } from "../../../../vocabulary/fields/field-kinds.ts";
import type { TextRow } from "../../../core/database/index.ts";
import { kinds, placedError, type Sql, sql } from "../../../data/sql/index.ts";
import type { Column } from "../../../models/index.ts";
import type { Item, JoinItem, ObjectSelection } from "../plan/object-selection.ts";
import { joinedRowSql } from "./object-sql.ts";
import type { StatementBuilder } from "./statement-builder.ts";

/**
 * What a statement selects for a selection without lists, each column by itself, and how a row of that becomes JSON. It takes PostgreSQL
 * much less than to write the JSON.
 */
export interface Projection {
  readonly columns: readonly Sql[];
  readonly joins: readonly Sql[];
  /** Writes one row as JSON text; its columns begin there. */
  readonly write: (row: TextRow, first: number) => string;
}

/** Each leads to one row more for each row of the page, and all of them are held at once. */
const mostJoins = 4;

/**
 * Whether the rows of a selection are sent as columns. Lists of a row would repeat it; and each row repeats what it is joined to, which must
 * have an end: of JSON PostgreSQL looks at the size before it is sent.
 */
export function isFlat(selection: ObjectSelection): boolean {
  const joins = joinsIn(selection);
  return joins.length <= mostJoins && joins.every(isBounded);
}

function isBounded({ list, selection }: JoinItem): boolean {
  return (
    list === null && selection.items.every((item) => item.kind !== "column" || !endless(item.column.kind))
  );
}

function endless(kind: FieldKind): boolean {
  return kind === "text" || kind === "email" || kind === "json" || elementKindOf(kind) !== null;
}

function joinsIn({ items }: ObjectSelection): JoinItem[] {
  return items.flatMap((item) => (item.kind === "join" ? [item, ...joinsIn(item.selection)] : []));
}

/** A key of the answer, where its columns begin, and how they are written. */
interface Entry {
  readonly key: string;
  readonly at: number;
  readonly write: Projection["write"];
}

/** Projects a selection of the row with the given alias. A column is sent once, under however many keys it stands. */
export function project(
  { member, items }: ObjectSelection,
  alias: string,
  builder: StatementBuilder,
): Projection {
  const columns: Sql[] = [];
  const joins: Sql[] = [];
  const places = new Map<string, number>();
  // Errors name the row by its id.
  if (items.some((item) => item.kind === "column" && kinds[item.column.kind].unheldSql !== null))
    places.set("id", columns.push(sql("??.id", alias)) - 1);
  const entryOf = (item: Item): Omit<Entry, "key"> => {
    switch (item.kind) {
      case "typename": {
        const text = JSON.stringify(member.model.key);
        return { at: 0, write: () => text };
      }
      case "column": {
        const { name } = item.column;
        const at = places.get(name) ?? columns.push(sql("??.??", alias, name)) - 1;
        places.set(name, at);
        const fromId = at - (places.get("id") ?? at);
        return { at, write: columnWriter(item.column, member.model.key, fromId) };
      }
      case "join": {
        const joined = projectJoin(item, alias, builder);
        const at = columns.length;
        columns.push(...joined.columns);
        joins.push(...joined.joins);
        return { at, write: joined.write };
      }
    }
  };
  const entries = items.map((item, index) => ({
    key: `${index === 0 ? "{" : ","}${JSON.stringify(item.key)}:`,
    ...entryOf(item),
  }));
  return { columns, joins, write: (row, first) => writeObject(entries, row, first) };
}

/** The columns with names, for a query around them. */
export function namedColumns(columns: readonly Sql[]): Sql[] {
  return columns.map((column, index) => sql("? as ??", column, nameOf(index)));
}

const nameOf = (index: number) => `c${index}`;

function writeObject(entries: readonly Entry[], row: TextRow, first: number): string {
  let text = entries.length === 0 ? "{" : "";
  for (const { key, at, write } of entries) text += key + write(row, first + at);
  return `${text}}`;
}

/** The id of the row is `fromId` places in front of the column. */
function columnWriter({ name, kind }: Column, model: string, fromId: number): Projection["write"] {
  const { toJson } = kinds[kind];
  return (row, at) => {
    const text = row[at];
    if (text == null) return "null";
    try {
      return toJson(text);
    } catch (error) {
      throw placedError(error, row, { model, idAt: at - fromId }, name);
    }
  };
}

/** The row that a `belongs_to` or `has_one` leads to. In front of its columns stands one that is NULL where there is no row. */
function projectJoin(item: JoinItem, alias: string, builder: StatementBuilder): Projection {
  const joined = builder.nextAlias();
  const inner = builder.nextAlias();
  const { columns, joins, write } = project(item.selection, inner, builder);
  const all = namedColumns([sql("true"), ...columns]);
  return {
    columns: all.map((_, index) => sql("??.??", joined, nameOf(index))),
    joins: [joinedRowSql(item, alias, joined, inner, { columns: all, joins }, builder)],
    write: (row, at) => (row[at] == null ? "null" : write(row, at + 1)),
  };
}
