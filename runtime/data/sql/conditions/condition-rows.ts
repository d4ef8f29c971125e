import {
  beginsAtItself,
  type Condition,
  isOtherField,
  type Subject,
} from "../../../../vocabulary/conditions/conditions.ts";
import type { FieldKind } from "../../../../vocabulary/fields/field-kinds.ts";
import { columnsOf, type Model, type Relation } from "../../../models/index.ts";
import type { ColumnSql, Sql } from "../sql.ts";

/** All models by key: conditions reach over relations. */
export type Models = ReadonlyMap<string, Model>;

/** A condition without conditions of its own. */
export type Leaf = Exclude<Condition, { op: "and" | "or" | "not" | "exists" }>;

/**
 * What becomes of the rows that a condition reaches over a relation: they are only read, or also held until the end of the
 * transaction. A write holds them, since PostgreSQL otherwise looks at them as they were when the statement began: a line
 * could still be added to an order that is being closed.
 */
export type Joined = "read" | "held";

/**
 * Whether a piece stands under an even number of NOTs: there, what is unknown might as well be false, and an EXISTS rests on one
 * row that is found. Under an odd number it rests on rows that are not there, and so does all within it: `absent`.
 */
export type Polarity = "positive" | "negative" | "absent";

/** The polarity under one NOT more. */
export function underNot(polarity: Polarity): Polarity {
  if (polarity === "absent") return polarity;
  return polarity === "positive" ? "negative" : "positive";
}

/** The polarity within an EXISTS. */
export function within(polarity: Polarity): Polarity {
  return polarity === "positive" ? polarity : "absent";
}

/** A row at which a path begins. */
export interface RowAt {
  readonly model: Model;
  readonly row: ColumnSql;
}

/**
 * The row whose rule it is: one that is there, or one that a request gives fields to, whose keys may lead nowhere. The database
 * refuses those, and those that lead to a row of the same statement are allowed.
 */
export interface JudgedRow extends RowAt {
  readonly given: boolean;
}

/** Where a piece of a condition stands. */
export interface ConditionRows {
  readonly models: Models;
  readonly joined: Joined;
  readonly itself: JudgedRow;
  /** The row that names are fields of. */
  readonly at: RowAt;
  /** Levels of EXISTS around it. */
  readonly depth: number;
  readonly polarity: Polarity;
  /** It stands under an odd number of NOTs: true here speaks against the row whose rule it is. */
  readonly negated: boolean;
}

/** A value in SQL, and what it is. */
export interface TypedSql {
  readonly sql: Sql;
  readonly kind: FieldKind;
}

/** One relation of a path, and the model that it leads to. */
export interface Hop {
  readonly relation: Relation;
  readonly target: Model;
}

/** The relations of a path: from the row whose rule it is, or from the one at hand. */
export interface Path {
  readonly fromItself: boolean;
  readonly hops: readonly Hop[];
  readonly end: Model;
}

/** Where names stand, as far as paths go by it. */
export interface Place {
  readonly models: Models;
  readonly itself: { readonly model: Model };
  readonly at: { readonly model: Model };
  readonly depth: number;
}

/** A path over relations. It begins at the row at hand, or within EXISTS by `this` at the row whose rule it is. */
export function pathOf(names: readonly string[], { models, itself, at, depth }: Place): Path {
  const fromItself = beginsAtItself(names, depth);
  const hops: Hop[] = [];
  let end = (fromItself ? itself : at).model;
  for (const name of fromItself ? names.slice(1) : names) {
    const relation = end.relations[name];
    const target = relation === undefined ? undefined : models.get(relation.model);
    if (relation === undefined || target === undefined) throw new Error(`${end.key} has no relation ${name}`);
    hops.push({ relation, target });
    end = target;
  }
  return { fromItself, hops, end };
}

/** A field: the relations to the row that has it, and its name. */
export function fieldPathOf(name: string, place: Place): { readonly path: Path; readonly column: string } {
  const names = name.split(".");
  const column = names.pop() ?? "";
  return { path: pathOf(names, place), column };
}

/** The fields that a comparison names, both of those that it compares. */
export function fieldsOf(leaf: Leaf): string[] {
  const operand = "value" in leaf && isOtherField(leaf.value) ? [leaf.value.field] : [];
  return typeof leaf.field === "string" ? [leaf.field, ...operand] : operand;
}

/** Whether a comparison is about a field, and not about a column of the caller. */
export function isFieldName(subject: Subject): subject is string {
  return typeof subject === "string";
}

/** The kind of a model's field or runtime column. */
export function kindOf(model: Model, name: string): FieldKind {
  const column = columnsOf(model).get(name);
  if (column === undefined) throw new Error(`${model.key} has no field ${name}`);
  return column.kind;
}
