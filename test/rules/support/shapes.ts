/** The kinds of field that conditions compare. */
export type Kind =
  | "string"
  | "text"
  | "email"
  | "integer"
  | "bigint"
  | "int64"
  | "decimal"
  | "float"
  | "boolean"
  | "datetime"
  | "date"
  | "time"
  | "uuid"
  | ListKind;

/** Kinds of lists. */
export type ListKind = "string[]" | "integer[]" | "decimal[]" | "uuid[]";

/** Kinds of one family can be compared with each other, but for floats and what is exact. */
export type Family = "text" | "number" | "boolean" | "datetime" | "date" | "time" | "uuid" | "list";

// biome-ignore format: many a line
const families: Readonly<Record<Kind, Family>> = {
  string: "text", text: "text", email: "text", integer: "number", bigint: "number", int64: "number",
  decimal: "number", float: "number", boolean: "boolean", datetime: "datetime", date: "date", time: "time",
  uuid: "uuid", "string[]": "list", "integer[]": "list", "decimal[]": "list", "uuid[]": "list",
};

export const familyOf = (kind: Kind): Family => families[kind];

/** Whether fields of two kinds can be compared. */
export function areAlike(one: Kind, other: Kind): boolean {
  const isExact = (kind: Kind) => kind === "decimal" || kind === "int64";
  if ((one === "float" && isExact(other)) || (other === "float" && isExact(one))) return false;
  return familyOf(one) !== "list" && familyOf(one) === familyOf(other);
}

const elements: Readonly<Record<ListKind, Exclude<Kind, ListKind>>> = {
  "string[]": "string",
  "integer[]": "integer",
  "decimal[]": "decimal",
  "uuid[]": "uuid",
};

export function isList(kind: Kind): kind is ListKind {
  return kind in elements;
}

/** What each element of a list is. */
export function elementOf(kind: ListKind): Exclude<Kind, ListKind> {
  return elements[kind];
}

export interface Link {
  readonly kind: "belongs_to" | "has_one" | "has_many";
  /** The column of the row at hand. */
  readonly field: string;
  readonly model: string;
  readonly references: string;
}

/** A model as the tests see it, separate from the product's on purpose. */
export interface Shape {
  readonly key: string;
  readonly id: "bigint" | "uuid";
  readonly softDelete: boolean;
  /** Columns in addition to the id and the timestamps. All can be NULL except `code`, which is unique. */
  readonly fields: Readonly<Record<string, Kind>>;
  /** By the names that GraphQL selects them by. */
  readonly links: Readonly<Record<string, Link>>;
}

/** All models of a world, `users` among them. */
export type Shapes = Readonly<Record<string, Shape>>;

export function shapeOf(shapes: Shapes, key: string): Shape {
  const shape = shapes[key];
  if (shape === undefined) throw new Error(`there is no model ${key}`);
  return shape;
}

/** A relation by its name, or by the name of its own field. */
export function linkOf(shape: Shape, name: string): Link & { readonly name: string } {
  const found = Object.entries(shape.links).find(
    ([key, { kind, field }]) => key === name || (kind === "belongs_to" && field === name),
  );
  if (found === undefined) throw new Error(`${shape.key} has no relation ${name}`);
  return { name: found[0], ...found[1] };
}

/** All columns that a condition may name. */
export function columnsOf({ id, softDelete, fields }: Shape): Record<string, Kind> {
  return {
    id,
    ...fields,
    created_at: "datetime",
    updated_at: "datetime",
    ...(softDelete && { deleted_at: "datetime" }),
  };
}

/** The model that a path over relations leads to. */
export function endOf(shapes: Shapes, shape: Shape, over: readonly string[]): Shape {
  return over.reduce((at, name) => shapeOf(shapes, linkOf(at, name).model), shape);
}

const builtIn = new Set(["role", "is_active", "is_verified"]);

/** The fields of a model; of `users` those that a world adds. */
export const ownFields = ({ key, fields }: Shape): [string, Kind][] =>
  Object.entries(fields).filter(([name]) => key !== "users" || !builtIn.has(name));
