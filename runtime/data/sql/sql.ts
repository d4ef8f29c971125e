import { createHash } from "node:crypto";
import pg from "pg";
import type { Claim } from "../../../vocabulary/conditions/conditions.ts";
import type { FieldKind } from "../../../vocabulary/fields/field-kinds.ts";
import type { Statement } from "../../core/database/index.ts";
import type { Principal } from "../../models/access/index.ts";
import { type BindValue, kinds } from "./kinds.ts";
import { soughtText } from "./pattern.ts";

type Source =
  | { readonly from: "request"; readonly index: number }
  | {
      readonly from: "caller";
      readonly claim: Claim;
      readonly kind: FieldKind;
      readonly pattern: boolean;
    }
  | { readonly from: "anchors" };

/** A place in a statement for a value that is bound, never spliced. */
export class Slot {
  readonly source: Source;

  constructor(source: Source) {
    this.source = source;
  }
}

/** How a statement holds rows that others may hold at the same time; where a deadlock ended it, it takes them alone. */
class SharedLock {
  readonly lock = "for share";
  readonly again = "for no key update";
}

type Part = string | Slot | SharedLock;

/** A piece of SQL: texts, and slots and locks between them. */
export class Sql {
  readonly parts: readonly Part[];

  constructor(parts: readonly Part[]) {
    this.parts = parts;
  }
}

/** A statement whose text is settled and whose values are not. */
export interface Plan {
  readonly statement: Statement;
  /**
   * Values of the request by their index, claims of the caller, and the rows that were locked beforehand, in the order of the
   * statement's parameters.
   */
  bind(values: readonly BindValue[], caller: Principal, anchors?: string | null): BindValue[];
}

/**
 * A piece of SQL: `?` takes a slot or another piece, `??` an identifier. Names of common table expressions end in `$`, which
 * no table has: one that is called like a table hides it.
 */
export function sql(text: string, ...bindings: readonly (string | Slot | Sql)[]): Sql {
  const remaining = [...bindings];
  const parts = text
    .split(/(\?\??)/)
    .flatMap((part) => (part.startsWith("?") ? bound(part, remaining.shift()) : part));
  if (remaining.length > 0) throw new Error("a statement has no place for what it binds");
  return new Sql(parts);
}

/** Holds rows until the end of the transaction: nobody changes them, and others may hold them too. */
export const forShare = new Sql([new SharedLock()]);

/** What takes the place of `?` or `??`. */
function bound(mark: string, binding: string | Slot | Sql | undefined): string | Slot | readonly Part[] {
  if (mark === "??" && typeof binding === "string") return pg.escapeIdentifier(binding);
  if (mark === "?" && binding instanceof Slot) return binding;
  if (mark === "?" && binding instanceof Sql) return binding.parts;
  throw new Error("a statement binds something that is not a slot");
}

/** The pieces one after the other. */
export function join(pieces: readonly Sql[], separator: string): Sql {
  return sql(pieces.map(() => "?").join(separator), ...pieces);
}

/** When the statement began. What `now()` gives is when its transaction did, which may be long before. */
export const timeOfStatement = sql("statement_timestamp()");

/** How the columns of the row at hand are written: of a table, of a record about to be inserted, of a row after its update. */
export type ColumnSql = (name: string) => Sql;

const bareName: ColumnSql = (name) => sql("??", name);

/** The columns of a table or subquery by its alias. */
export const columnsOfTable =
  (alias: string): ColumnSql =>
  (name) =>
    sql("??.??", alias, name);

/** Columns one after the other, by their bare names unless it is said whose they are. */
export function columnList(names: readonly string[], column: ColumnSql = bareName): Sql {
  return join(names.map(column), ", ");
}

/** All of the pieces must hold; none at all holds always. */
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
 * A literal of a policy, which stands in the text: what PostgreSQL knows beforehand it plans once, and what is bound it would
 * plan anew for each request. In quotes, so that a cast takes it for what it is.
 */
export function policyValue(value: string | number | boolean): Sql {
  return new Sql([pg.escapeLiteral(String(value))]);
}

/** Settles the text: equal slots share one parameter, and equal texts share one name. */
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
    bind: (values, caller, anchors = null) =>
      sources.map((source) => boundValue(source, values, caller, anchors)),
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
  anchors: string | null,
): BindValue {
  switch (source.from) {
    case "anchors":
      return anchors;
    case "request":
      return values[source.index] ?? null;
    case "caller": {
      const claim = caller[source.claim];
      // A claim that is absent, empty, too long to look for or no value of the column's type is NULL, and matches nothing.
      if (claim === null || claim === "") return null;
      if (source.pattern) return soughtText(claim, source.claim, [])?.replaceAll(/[\\%_]/g, "\\$&") ?? null;
      return kinds[source.kind].parse(claim) ?? null;
    }
  }
}
