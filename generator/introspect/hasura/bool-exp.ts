import { isNodeList, type MetadataNode, nodeEntries } from "./metadata-node.ts";

/** A table in conditions. */
export interface ConditionTable {
  /** Whether a condition compares its id with the caller. Set while conditions are read. */
  isCaller: boolean;
  /** A column with its name in the model and the kind of its values; null if no field holds it. */
  column(name: string): { readonly name: string; readonly kind: string } | null;
  /** A relationship with its name in conditions, or why conditions cannot use it. Undefined for an unknown name. */
  relation(name: string): { readonly name: string; readonly target: ConditionTable } | string | undefined;
}

/** Why a part of the metadata cannot be a part of a rule. */
export class Unsayable extends Error {}

/** A condition; `exists` are the parts of one that is only EXISTS. */
export interface RowText {
  readonly text: string;
  readonly binds: "atom" | "AND" | "OR";
  readonly exists?: { readonly path: string; readonly where: string | null };
}

/** The row condition of a boolean expression; null for all rows. Throws `Unsayable`. */
export function rowCondition(node: MetadataNode, table: ConditionTable): RowText | null {
  return expression(node, { at: table, negated: false, hidesUnknown: true });
}

/** The condition that a column has a value. Throws `Unsayable`. */
export function hasValue(
  column: { readonly name: string; readonly kind: string },
  operand: MetadataNode,
  at: ConditionTable,
): RowText {
  const position = { at, negated: false, hidesUnknown: true };
  if (operand.value === null) return atom(`${column.name} IS NULL`);
  return comparison("_eq", operand, { column, position });
}

interface Position {
  readonly at: ConditionTable;
  /** Whether an odd number of `_not` is around it. */
  readonly negated: boolean;
  /** Whether an unknown comparison hides the row: it is not in an EXISTS below a negation. */
  readonly hidesUnknown: boolean;
}

function expression(node: MetadataNode, position: Position): RowText | null {
  if (!(node.value instanceof Map)) throw new Unsayable("it is not a boolean expression");
  return everyPart([...nodeEntries(node)].map(([key, value]) => entry(key, value, position)));
}

function entry(key: string, value: MetadataNode, position: Position): RowText | null {
  if (key === "_and" || key === "_or") {
    if (!isNodeList(value.value)) throw new Unsayable(`${key} needs a list`);
    const parts = value.value.map((item) => expression(item, position));
    return key === "_and" ? everyPart(parts) : anyPart(parts);
  }
  if (key === "_not") {
    const inner = expression(value, { ...position, negated: !position.negated });
    if (inner === null) throw new Unsayable("it matches no row");
    return atom(`NOT (${inner.text})`);
  }
  if (key === "_exists") throw new Unsayable("_exists looks for rows without a relationship");
  const relation = position.at.relation(key);
  if (typeof relation === "string") throw new Unsayable(`the relationship ${key}: ${relation}`);
  if (relation !== undefined) return related(relation, value, position);
  const column = position.at.column(key);
  if (column === null)
    throw new Unsayable(`${key} is neither a field nor a relationship; computed fields are neither`);
  const comparisons = value.value instanceof Map ? value.value : new Map([["_eq", value]]);
  return everyPart([...comparisons].map(([op, operand]) => comparison(op, operand, { column, position })));
}

/** The other row exists, as in Hasura also for an object relationship. */
function related(
  { name, target }: { readonly name: string; readonly target: ConditionTable },
  value: MetadataNode,
  position: Position,
): RowText {
  const hidesUnknown = position.hidesUnknown && !position.negated;
  const inner = expression(value, { ...position, at: target, hidesUnknown });
  const path = inner?.exists === undefined ? name : `${name}.${inner.exists.path}`;
  const where = inner?.exists === undefined ? (inner?.text ?? null) : inner.exists.where;
  return { ...atom(`EXISTS (${path}${where === null ? "" : ` WHERE ${where}`})`), exists: { path, where } };
}

interface Compared {
  readonly column: { readonly name: string; readonly kind: string };
  readonly position: Position;
}

// biome-ignore format: many a line
const symbols: ReadonlyMap<string, string> = new Map([
  ["_eq", "="], ["_neq", "<>"], ["_gt", ">"], ["_lt", "<"], ["_gte", ">="], ["_lte", "<="],
  ["_like", "LIKE"], ["_nlike", "NOT LIKE"], ["_ilike", "ILIKE"], ["_nilike", "NOT ILIKE"],
]);

function comparison(op: string, operand: MetadataNode, compared: Compared): RowText {
  const { name } = compared.column;
  const { value } = operand;
  const symbol = symbols.get(op);
  if (symbol !== undefined) return atom(`${name} ${symbol} ${valueText(operand, compared)}`);
  if (op === "_is_null" && typeof value === "boolean") return atom(`${name} IS ${value ? "" : "NOT "}NULL`);
  if ((op === "_in" || op === "_nin") && isNodeList(value) && value.length > 0) {
    const values = value.map((item) => valueText(item, compared)).join(", ");
    return atom(`${name} ${op === "_in" ? "IN" : "NOT IN"} (${values})`);
  }
  throw new Unsayable(`conditions cannot say ${op} with ${typeof value === "string" ? value : "this value"}`);
}

const numbers = ["integer", "bigint", "int64", "float", "decimal"];

function valueText({ value }: MetadataNode, { column: { name, kind }, position }: Compared): string {
  if (typeof value === "boolean") return String(value);
  if (value instanceof Object && "digits" in value) return value.digits;
  if (typeof value !== "string") throw new Unsayable(`${name} is compared with null, a list or a map`);
  const variable = value.toLowerCase();
  if (variable === "x-hasura-role") return "{role}";
  if (variable === "x-hasura-user-id") return callerId(name, kind, position);
  if (variable.startsWith("x-hasura-") || variable === "req_user_id")
    throw new Unsayable(
      `callers have no ${value}: add a column to "users", and compare with {user.<column>}`,
    );
  if (kind === "datetime" && variable === "now()") return "now()";
  if (kind === "boolean") {
    if (variable !== "true" && variable !== "false")
      throw new Unsayable(`${name} is a boolean, and is compared with ${JSON.stringify(value)}`);
    return variable;
  }
  const isPlain = numbers.includes(kind) && /^-?\d+(\.\d+)?$/.test(value);
  return isPlain ? value : `'${value.replaceAll("'", "''")}'`;
}

/** An id that does not fit the column is NULL, and NOT EXISTS takes that for a row that is not there. */
function callerId(name: string, kind: string, { at, hidesUnknown }: Position): string {
  if (!hidesUnknown && kind !== "string" && kind !== "text")
    throw new Unsayable(
      "without a row of the caller it would be open to a caller whose id is not of this type",
    );
  if (name === "id") at.isCaller = true;
  return "{user_id}";
}

export function atom(text: string): RowText {
  return { text, binds: "atom" };
}

/** Several conditions that all have to hold. */
export function everyPart(parts: readonly (RowText | null)[]): RowText | null {
  return joined(
    "AND",
    parts.flatMap((part) => part ?? []),
  );
}

function anyPart(parts: readonly (RowText | null)[]): RowText | null {
  const texts = parts.flatMap((part) => part ?? []);
  if (parts.length === 0) throw new Unsayable("it matches no row");
  return texts.length < parts.length ? null : joined("OR", texts);
}

function joined(binds: "AND" | "OR", parts: readonly RowText[]): RowText | null {
  const different = [...new Map(parts.map((part) => [part.text, part])).values()];
  const [only = null, second] = different;
  if (second === undefined) return only;
  const inside = (part: RowText) =>
    part.binds === "atom" || part.binds === binds ? part.text : `(${part.text})`;
  return { text: different.map(inside).join(` ${binds} `), binds };
}
