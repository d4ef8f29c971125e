import {
  type Comparable,
  compare,
  every,
  integerOf,
  isLike,
  negate,
  some,
  type Truth,
} from "../../support/three-valued.ts";
import { comparable, elementsOf, type Held, type Row, type Tables } from "./rows.ts";
import type { FieldTerm, Rule, SubjectTerm, Unit, ValueTerm } from "./rule.ts";
import {
  elementOf,
  familyOf,
  isList,
  type Kind,
  type Link,
  linkOf,
  type Shape,
  type Shapes,
  shapeOf,
} from "./shapes.ts";

/** Who calls; a guest has no id. */
export interface Caller {
  readonly user_id: string | null;
  readonly role: string;
  readonly email: string | null;
}

/** A row, and the model that it is of. */
export interface Found {
  readonly shape: Shape;
  readonly row: Row;
}

export const foundAt = (shape: Shape, row: Row): Found => ({ shape, row });

/** All that the truth of a condition rests on. */
export interface World {
  readonly shapes: Shapes;
  /** As they are before the statement. */
  readonly tables: Tables;
  readonly caller: Caller;
  /** Milliseconds. */
  readonly now: number;
}

/** Whether a rule holds for a row of a model, which need not be in the tables. */
export function truth(rule: Rule, shape: Shape, row: Row, world: World): Truth {
  const itself = { shape, row };
  return truthAt(rule, itself, itself, world);
}

/** The truth of a part for a row, below the row that the rule is about. */
export function truthAt(rule: Rule, at: Found, itself: Found, world: World): Truth {
  const read = (term: SubjectTerm): Comparable => subjectValue(term, at, itself, world);
  switch (rule.is) {
    case "and":
      return every(rule.parts.map((part) => truthAt(part, at, itself, world)));
    case "or":
      return some(rule.parts.map((part) => truthAt(part, at, itself, world)));
    case "not":
      return negate(truthAt(rule.part, at, itself, world));
    case "exists": {
      const { where, over } = rule;
      const found = reached(rule.itself ? itself : at, over, world);
      return found.some((one) => where === null || truthAt(where, one, itself, world) === true);
    }
    case "null":
      return (lockedValue(rule.left, at, itself, world) === null) !== rule.not;
    case "in": {
      const left = read(rule.left);
      const equal = some(rule.list.map((term) => compare("=", left, readValue(term, rule.left.kind, world))));
      return rule.not ? negate(equal) : equal;
    }
    // As IN: one of several comparisons with each value, which is unknown where that is NULL.
    case "has": {
      const { kind } = rule.left;
      const list = elementsOf(lockedValue(rule.left, at, itself, world), kind);
      const element = isList(kind) ? elementOf(kind) : kind;
      return some(
        rule.list.map((term) => {
          const value = readValue(term, element, world);
          return list === null || value === null ? null : list.includes(value);
        }),
      );
    }
    case "between": {
      const value = (term: ValueTerm) => readValue(term, rule.left.kind, world);
      const left = read(rule.left);
      return every([compare(">=", left, value(rule.from)), compare("<=", left, value(rule.to))]);
    }
    case "compare": {
      const { sign, right } = rule;
      const left = read(rule.left);
      const value = right.is === "field" ? read(right) : readValue(right, rule.left.kind, world);
      if (sign !== "LIKE" && sign !== "ILIKE") return compare(sign, left, value);
      const how = { ignoreCase: sign === "ILIKE", literal: right.is !== "literal" };
      return isLike(textOrNull(left), textOrNull(value), how);
    }
  }
}

const textOrNull = (value: Comparable): string | null => (value === null ? null : String(value));

/** The live rows at the end of a path. */
export function reached(from: Found, over: readonly string[], world: World): Found[] {
  let rows = [from];
  for (const name of over) rows = rows.flatMap((row) => linked(row, name, world));
  return rows;
}

function linked({ shape, row }: Found, name: string, { shapes, tables }: World): Found[] {
  const link: Link = linkOf(shape, name);
  const key = row[link.field] ?? null;
  const rows = (tables[link.model] ?? []).filter(
    (other) => key !== null && other[link.references] === key && (other["deleted_at"] ?? null) === null,
  );
  const all = rows.map((other) => ({ shape: shapeOf(shapes, link.model), row: other }));
  return link.kind === "has_many" ? all : all.slice(0, 1);
}

function subjectValue(term: SubjectTerm, at: Found, itself: Found, world: World): Comparable {
  return comparable(lockedValue(term, at, itself, world), term.kind);
}

function lockedValue(term: SubjectTerm, at: Found, itself: Found, world: World): Held {
  if (term.is === "user") return userRow(world)?.[term.column] ?? null;
  const [end] = reached(term.itself ? itself : at, term.over, world);
  return end === undefined ? null : columnOf(end.row, term);
}

const columnOf = (row: Row, { field }: FieldTerm): Held => row[field] ?? null;

function userRow({ tables, caller }: World): Row | undefined {
  const id = caller.user_id === null ? null : integerOf(caller.user_id, 64n);
  return (tables["users"] ?? []).find((user) => id !== null && BigInt(String(user["id"])) === id);
}

function userValue(column: string, kind: Kind, world: World): Comparable {
  return comparable(userRow(world)?.[column] ?? null, kind);
}

const milliseconds: Readonly<Record<Unit, number>> = {
  second: 1_000,
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
};

/** A value that a field of this kind is compared with. */
function readValue(term: ValueTerm, kind: Kind, world: World): Comparable {
  switch (term.is) {
    case "literal":
      return comparable(term.value, kind);
    case "user":
      return userValue(term.column, term.kind, world);
    case "claim":
      return claimValue(world.caller[term.claim], kind);
    case "now": {
      const time = world.now + term.amount * milliseconds[term.unit];
      return kind === "date" ? new Date(time).toISOString().slice(0, 10) : time;
    }
  }
}

function claimValue(claim: string | null, kind: Kind): Comparable {
  if (claim === null || claim === "") return null;
  if (familyOf(kind) === "text") return claim;
  if (kind === "uuid") return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(claim) ? claim : null;
  const number = integerOf(claim, kind === "integer" ? 32n : 64n);
  return number === null ? null : comparable(String(number), kind);
}
