import { createHash } from "node:crypto";
import pg from "pg";
import { type Claim, maxPatternLength } from "../../../vocabulary/conditions/conditions.ts";
import { BoundedCache } from "../../core/concurrency/index.ts";
import type { Statement } from "../../core/database/index.ts";
import type { Problem } from "../../core/errors/index.ts";
import type { Principal } from "../../models/access/index.ts";
import { type Column, columnName, columnsOf, type Model } from "../../models/index.ts";
import { type Typed, type TypedColumn, typeOf } from "./column-types.ts";
import { type BindValue, kinds } from "./kinds.ts";

/** A text to search for; null for an invalid value, with an error in `problems`. */
export function soughtText(value: unknown, field: string, problems: Problem[]): string | null {
  const text = kinds.text.parse(value);
  const isText = typeof text === "string" && text !== "";
  if (isText && !isTooLong(text)) return text;
  const message = isText
    ? `must have at most ${maxPatternLength} characters`
    : "must be a string that is not empty";
  problems.push({ field, message });
  return null;
}

/** A character has one or two code units, so very long texts need not be counted. */
function isTooLong(text: string): boolean {
  if (text.length <= maxPatternLength) return false;
  return text.length > 2 * maxPatternLength || [...text].length > maxPatternLength;
}

type Source =
  | { readonly from: "request"; readonly index: number }
  | {
      readonly from: "caller";
      readonly claim: Claim;
      readonly type: Typed;
      readonly pattern: boolean;
    }
  | { readonly from: "parents" };

/** A place in a statement for a bound value. */
export class Slot {
  readonly source: Source;

  constructor(source: Source) {
    this.source = source;
  }
}

/** A shared lock, or an exclusive lock after a deadlock. */
class SharedLock {
  readonly lock = "for share";
  readonly again = "for no key update";
}

type Part = string | Slot | SharedLock;

/** Texts with slots and locks between them. */
export class Sql {
  readonly parts: readonly Part[];

  constructor(parts: readonly Part[]) {
    this.parts = parts;
  }
}

/** A statement with fixed text and variable values. */
export interface Plan {
  readonly statement: Statement;
  /** The parameters: values of the request, claims of the caller, and the locked parent rows. */
  bind(values: readonly BindValue[], caller: Principal, parents?: string | null): BindValue[];
}

/**
 * Makes a piece of SQL: `?` is a slot or another piece, `??` an identifier. Names of common table expressions
 * end in `$`, because they would hide a table of the same name.
 */
export function sql(text: string, ...bindings: readonly (string | Slot | Sql)[]): Sql {
  const remaining = [...bindings];
  const parts = text
    .split(/(\?\??)/)
    .flatMap((part) => (part.startsWith("?") ? bound(part, remaining.shift()) : part));
  if (remaining.length > 0) throw new Error("a statement has more bindings than placeholders");
  return new Sql(parts);
}

/** A lock that others can have too. `lockUnlessView` or `forShare` decide if the rows can have it. */
export const sharedLock = new Sql([new SharedLock()]);

/**
 * Locks rows of a model until the transaction ends: no one can change them, but others can lock them too. Empty for a view, which
 * PostgreSQL does not lock.
 */
export function forShare(model: Model): Sql {
  return lockUnlessView(model, sharedLock);
}

/** A lock of rows of a model; empty for a view. */
export function lockUnlessView({ view }: Model, lock: Sql): Sql {
  return view === true ? new Sql([]) : lock;
}

function bound(mark: string, binding: string | Slot | Sql | undefined): string | Slot | readonly Part[] {
  if (mark === "??" && typeof binding === "string") return pg.escapeIdentifier(binding);
  if (mark === "?" && binding instanceof Slot) return binding;
  if (mark === "?" && binding instanceof Sql) return binding.parts;
  throw new Error("a binding does not fit its placeholder");
}

export function join(pieces: readonly Sql[], separator: string): Sql {
  return sql(pieces.map(() => "?").join(separator), ...pieces);
}

/** The start of the statement. `now()` is the start of the transaction, which can be much earlier. */
export const timeOfStatement = sql("statement_timestamp()");

/**
 * The SQL of a field of the current row: of a table, of a record to insert, or of a row after its update. Queries of a model's rows have
 * the names of the table's columns.
 */
export type ColumnSql = (name: string, form?: "stored") => Sql;

/**
 * The columns of a model's rows, in a table or query with this alias. Values that a column hides are NULL, except in the form
 * `stored`.
 */
export const columnsOfTable =
  (model: Model, alias: string): ColumnSql =>
  (name, form) => {
    const stored = sql("??.??", alias, columnName(model, name));
    const column = columnsOf(model).get(name);
    return column?.hidesUnsupported === true && form !== "stored" ? shownSql(stored, column) : stored;
  };

/** A row with new values of some columns. */
export function withValues(row: ColumnSql, values: ReadonlyMap<string, Sql>): ColumnSql {
  return (name, form) => values.get(name) ?? row(name, form);
}

/** A value, or NULL if the API does not support it: of a list, one of its elements. */
function shownSql(stored: Sql, column: Column): Sql {
  const { unsupportedSql } = typeOf(column);
  if (unsupportedSql === null) return stored;
  return sql("case when not (?) then ? end", testSql(unsupportedSql, stored), stored);
}

/** Whether a stored value is NULL or not; unknown if the column hides the value. */
export function nullTestSql(
  operator: "is_null" | "is_not_null",
  stored: Sql,
  column: TypedColumn & { readonly hidesUnsupported?: boolean },
): Sql {
  const test = sql(operator === "is_null" ? "? is null" : "? is not null", stored);
  const { unsupportedSql } = typeOf(column);
  if (column.hidesUnsupported !== true || unsupportedSql === null) return test;
  return sql("case when ? is null or not (?) then ? end", stored, testSql(unsupportedSql, stored), test);
}

/** A test of a column type, in which the value can be repeated. */
export function testSql(text: string, value: Sql): Sql {
  return sql(text, ...Array<Sql>(text.split("?").length - 1).fill(value));
}

/** The columns of a model without an alias, for the targets of a write. */
export const bareColumns =
  (model: Model): ColumnSql =>
  (name) =>
    sql("??", columnName(model, name));

export function columnList(names: readonly string[], column: ColumnSql): Sql {
  return join(
    names.map((name) => column(name)),
    ", ",
  );
}

/** The table of a model. */
export function tableSql({ schema, table }: Pick<Model, "schema" | "table">): Sql {
  return schema === undefined ? sql("??", table) : sql("??.??", schema, table);
}

/** What a write to a row sets itself: `updated_at`, if the table has it and the database does not set it. */
export function writeTimes(model: Model): readonly (readonly [string, Sql])[] {
  const column = columnsOf(model).get("updated_at");
  return column === undefined || column.generated ? [] : [["updated_at", timeOfStatement]];
}

/** What an update of the table `t` sets, with the time of the write. An empty one sets a column to itself. */
export function setSql(model: Model, values: Iterable<readonly [string, Sql]>): Sql {
  const set = [...values, ...writeTimes(model)];
  const [kept = "id"] = Object.keys(model.fields).filter((name) => model.fields[name]?.generated !== true);
  if (set.length === 0) set.push([kept, columnsOfTable(model, "t")(kept, "stored")]);
  const column = bareColumns(model);
  return join(
    set.map(([name, value]) => sql("? = ?", column(name), value)),
    ", ",
  );
}

/** Joins conditions with AND; `true` if there are none. */
export function every(pieces: readonly Sql[]): Sql {
  return pieces.length === 0
    ? sql("true")
    : join(
        pieces.map((piece) => sql("(?)", piece)),
        " and ",
      );
}

/** A column as an operand of an operator, and the type of the values that it is compared with. */
export function comparedWith(
  operator: string,
  column: Sql,
  typed: TypedColumn,
): { readonly sql: Sql; readonly type: Typed } {
  const { patternSql, comparedSql } = typeOf(typed);
  const text = operator === "like" || operator === "ilike" ? patternSql : comparedSql;
  return text === undefined ? { sql: column, type: typed } : { sql: sql(text, column), type: "text" };
}

/** The `index`-th value of the request, cast to the type of a column. */
export function requestValue(index: number, type: Typed): Sql {
  return sql(`?::${typeOf(type).sqlType}`, new Slot({ from: "request", index }));
}

/** The `index`-th value of the request, a list, cast to an array of the type of a column. */
export function requestList(index: number, type: Typed): Sql {
  return sql(`?::${typeOf(type).sqlType}[]`, new Slot({ from: "request", index }));
}

/** The `index`-th value of the request, an id of a model. */
export function idValue(index: number, model: Model): Sql {
  return requestValue(index, idOf(model));
}

/** The `index`-th value of the request, a list of ids of a model. */
export function idValues(index: number, model: Model): Sql {
  return requestList(index, idOf(model));
}

function idOf(model: Model): Typed {
  return columnsOf(model).get("id") ?? model.id;
}

/**
 * A literal in the text: a bound value would be planned for each request. In quotes, so that the cast gives
 * its type.
 */
export function policyValue(value: string | number | boolean): Sql {
  return new Sql([pg.escapeLiteral(String(value))]);
}

/** Fixes the text. Equal slots share one parameter, and equal texts have equal names. */
export function plan(piece: Sql): Plan {
  const sources: Source[] = [];
  const numbers = new Map<string, number>();
  const written = piece.parts.map((part) => {
    if (typeof part === "string" || part instanceof SharedLock) return part;
    const key = JSON.stringify(part.source);
    const number = numbers.get(key) ?? sources.push(part.source);
    numbers.set(key, number);
    return `$${number}`;
  });
  const first = named(written.map((part) => (part instanceof SharedLock ? part.lock : part)));
  const again = named(written.map((part) => (part instanceof SharedLock ? part.again : part)));
  return {
    statement: again.name === first.name ? first : { ...first, again },
    bind: (values, caller, parents = null) =>
      sources.map((source) => boundValue(source, values, caller, parents)),
  };
}

function named(texts: readonly string[]): Statement {
  const text = texts.join("");
  return { name: createHash("sha256").update(text).digest("base64url").slice(0, 22), text };
}

function boundValue(
  source: Source,
  values: readonly BindValue[],
  caller: Principal,
  parents: string | null,
): BindValue {
  switch (source.from) {
    case "parents":
      return parents;
    case "request":
      return values[source.index] ?? null;
    case "caller": {
      const claim = caller[source.claim];
      // A missing, empty, too long or invalid claim is NULL and matches nothing.
      if (claim === null || claim === "") return null;
      if (source.pattern) return soughtText(claim, source.claim, [])?.replaceAll(/[\\%_]/g, "\\$&") ?? null;
      return typeOf(source.type).parse(claim) ?? null;
    }
  }
}

/**
 * Reads columns of the caller's row in `users` and locks it until the transaction ends. No row for a guest,
 * or if it does not exist. Values: none.
 */
export function selectCaller(users: Model, columns: readonly string[]): Plan {
  const id = new Slot({ from: "caller", claim: "user_id", type: users.id, pattern: false });
  const row = columnsOfTable(users, "t");
  const text = `select ? from ? as t where ? = ?::${users.id} for share`;
  return plan(sql(text, columnList(columns, row), tableSql(users), row("id"), id));
}

/** In characters. Longer ones could fill the memory here, and in the database as prepared statements. */
const longestKey = 600;
const longestText = 16_000;

/** The plans of one service. Models and policies never change while it runs. */
export class PlanCache {
  /** Callers choose filters, orders and selections, so there is no limit to shapes. */
  readonly #plans = new BoundedCache<Plan>({ entries: 5_000, weight: 20_000_000 });

  /**
   * The plan for a key, made on first use. The key must include everything that the text depends on: model,
   * operation, role, filters, order, columns. Plans with a very long key or text are neither cached nor
   * prepared.
   */
  of(key: string, make: () => Plan): Plan {
    const known = this.#plans.get(key);
    if (known !== undefined) return known;
    const made = make();
    const { text } = made.statement;
    if (key.length > longestKey || text.length > longestText)
      return { ...made, statement: { name: null, text } };
    return this.#plans.add(key, made, text.length);
  }
}
