import { createHash } from "node:crypto";
import pg from "pg";
import { type Claim, maxPatternLength } from "../../../vocabulary/conditions/conditions.ts";
import type { FieldKind } from "../../../vocabulary/fields/field-kinds.ts";
import { BoundedCache } from "../../core/concurrency/index.ts";
import type { Statement } from "../../core/database/index.ts";
import type { Problem } from "../../core/errors/index.ts";
import type { Principal } from "../../models/access/index.ts";
import type { Model } from "../../models/index.ts";
import { type BindValue, kinds } from "./kinds.ts";

/** A search text; null for any other value, with an error in `problems`. */
export function soughtText(value: unknown, field: string, problems: Problem[]): string | null {
  const text = kinds.text.parse(value);
  const isText = typeof text === "string" && text !== "";
  if (isText && !isTooLong(text)) return text;
  const message = isText
    ? `must have at most ${maxPatternLength} characters`
    : "must be a text that is not empty";
  problems.push({ field, message });
  return null;
}

/** A character has one or two code units, so a very long text is not counted. */
function isTooLong(text: string): boolean {
  if (text.length <= maxPatternLength) return false;
  return text.length > 2 * maxPatternLength || [...text].length > maxPatternLength;
}

type Source =
  | { readonly from: "request"; readonly index: number }
  | {
      readonly from: "caller";
      readonly claim: Claim;
      readonly kind: FieldKind;
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

/** How a statement locks rows: shared, or exclusively after a deadlock. */
class SharedLock {
  readonly lock = "for share";
  readonly again = "for no key update";
}

type Part = string | Slot | SharedLock;

/** A piece of SQL: texts with slots and locks between them. */
export class Sql {
  readonly parts: readonly Part[];

  constructor(parts: readonly Part[]) {
    this.parts = parts;
  }
}

/** A statement with fixed text and variable values. */
export interface Plan {
  readonly statement: Statement;
  /**
   * Values of the request by index, claims of the caller, and the locked rows, in the order of the
   * statement's parameters.
   */
  bind(values: readonly BindValue[], caller: Principal, parents?: string | null): BindValue[];
}

/**
 * A piece of SQL: `?` is a slot or another piece, `??` an identifier. Names of common table expressions end
 * in `$`, which no table name does: otherwise they would hide a table.
 */
export function sql(text: string, ...bindings: readonly (string | Slot | Sql)[]): Sql {
  const remaining = [...bindings];
  const parts = text
    .split(/(\?\??)/)
    .flatMap((part) => (part.startsWith("?") ? bound(part, remaining.shift()) : part));
  if (remaining.length > 0) throw new Error("a statement has no place for what it binds");
  return new Sql(parts);
}

/** Locks rows until the end of the transaction: no one can change them, but others can lock them too. */
export const forShare = new Sql([new SharedLock()]);

/** The replacement of `?` or `??`. */
function bound(mark: string, binding: string | Slot | Sql | undefined): string | Slot | readonly Part[] {
  if (mark === "??" && typeof binding === "string") return pg.escapeIdentifier(binding);
  if (mark === "?" && binding instanceof Slot) return binding;
  if (mark === "?" && binding instanceof Sql) return binding.parts;
  throw new Error("a statement binds something that is not a slot");
}

/** Joins pieces. */
export function join(pieces: readonly Sql[], separator: string): Sql {
  return sql(pieces.map(() => "?").join(separator), ...pieces);
}

/** When the statement began. `now()` is the start of the transaction, which can be much earlier. */
export const timeOfStatement = sql("statement_timestamp()");

/** How columns of the current row are written: of a table, of a record to insert, of a row after its update. */
export type ColumnSql = (name: string) => Sql;

const bareName: ColumnSql = (name) => sql("??", name);

/** The columns of a table or subquery by its alias. */
export const columnsOfTable =
  (alias: string): ColumnSql =>
  (name) =>
    sql("??.??", alias, name);

/** A list of columns, by their bare names unless `columns` is given. */
export function columnList(names: readonly string[], column: ColumnSql = bareName): Sql {
  return join(names.map(column), ", ");
}

/** All pieces must be true; true if there are none. */
export function every(pieces: readonly Sql[]): Sql {
  return pieces.length === 0
    ? sql("true")
    : join(
        pieces.map((piece) => sql("(?)", piece)),
        " and ",
      );
}

/** The `index`-th value of the request, cast to the type of a kind. */
export function requestValue(index: number, kind: FieldKind): Sql {
  return sql(`?::${kinds[kind].sqlType}`, new Slot({ from: "request", index }));
}

/** The `index`-th value of the request, a list, cast to an array of a kind. */
export function requestList(index: number, kind: FieldKind): Sql {
  return sql(`?::${kinds[kind].sqlType}[]`, new Slot({ from: "request", index }));
}

/**
 * A literal of a policy. It is part of the text, so that PostgreSQL plans the statement once; bound values
 * would be planned for each request. In quotes, so that the cast gives it its type.
 */
export function policyValue(value: string | number | boolean): Sql {
  return new Sql([pg.escapeLiteral(String(value))]);
}

/** Fixes the text: equal slots share one parameter, and equal texts share one name. */
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
      // A claim that is absent, empty, too long or invalid for the type of the column is NULL, and matches
      // nothing.
      if (claim === null || claim === "") return null;
      if (source.pattern) return soughtText(claim, source.claim, [])?.replaceAll(/[\\%_]/g, "\\$&") ?? null;
      return kinds[source.kind].parse(claim) ?? null;
    }
  }
}

/**
 * Columns of the caller's row in `users`, which is locked until the transaction ends. Returns no row for a
 * guest, and for a caller without one. Values: none.
 */
export function selectCaller(users: Model, columns: readonly string[]): Plan {
  const id = new Slot({ from: "caller", claim: "user_id", kind: users.id, pattern: false });
  const list = columnList(columns, columnsOfTable("t"));
  return plan(sql(`select ? from ?? as t where t.id = ?::${users.id} for share`, list, users.table, id));
}

/** In characters. Longer ones could fill the memory here, and that of the database with prepared statements. */
const longestKey = 600;
const longestText = 16_000;

/** The plans of one service by shape. Models and policies never change while it runs. */
export class PlanCache {
  /**
   * Callers choose filters, orders and selections, so the number of shapes has no limit; the oldest plans are
   * removed.
   */
  readonly #plans = new BoundedCache<Plan>({ entries: 5_000, weight: 20_000_000 });

  /**
   * The plan of a shape, made on first use. The key must include everything that the text depends on: model,
   * operation, role, filters, order, columns. A plan with a very long key or text is neither cached nor
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
