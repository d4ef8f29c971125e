import type { Json } from "../../../vocabulary/json.ts";
import { isList, isPart } from "../../emit/client/json-parts.ts";
import type { FoundTable, HeldColumn } from "../as-found/found-table.ts";
import { type HasuraTable, type JsonMap, mapOf } from "./hasura-metadata.ts";

/** A tracked table with its model. */
export interface HasuraModel {
  readonly hasura: HasuraTable;
  readonly table: FoundTable;
  /** The model as an introspection writes it. */
  readonly model: JsonMap;
  /** Its columns by their names in the database. */
  readonly columns: ReadonlyMap<string, HeldColumn>;
  /** Its fields, with the relationships of Hasura. */
  readonly fields: { [name: string]: Json };
  /** The relationships by their names in Hasura, with their names in conditions. */
  readonly relations: Map<string, { readonly name: string; readonly target: HasuraModel }>;
}

/** Why a part of the metadata cannot be a part of a rule. */
export class Unsayable extends Error {}

/** Throws `Unsayable` with a reason, unless a part of the metadata can be a part of a rule. */
export function demand(isSayable: boolean, reason: string): asserts isSayable {
  if (!isSayable) throw new Unsayable(reason);
}

/** The condition of expressions that all have to hold; null for all rows. Hasura evaluates a check after the write. Throws `Unsayable`. */
export function rowCondition(filters: readonly (Json | undefined)[], at: HasuraModel, isCheck: boolean) {
  const position = { at, written: isCheck ? at : null, isNegated: false, isOpen: false };
  const parts = filters.map((filter) => expression(filter, position));
  return joined("AND", parts);
}

interface Position {
  readonly at: HasuraModel;
  /** The model whose rows a check is about. */
  readonly written: HasuraModel | null;
  /** Whether a `_not` is around it. */
  readonly isNegated: boolean;
  /** Whether an unknown comparison opens the row: it is in an EXISTS below a `_not`. */
  readonly isOpen: boolean;
}

function expression(filter: Json | undefined, position: Position): string | null {
  demand(isPart(filter), "its filter or check is not a boolean expression");
  const parts = Object.entries(filter).map(([key, value]) => entry(key, value, position));
  return joined("AND", parts);
}

function entry(key: string, value: Json, position: Position): string | null {
  if (key === "_and" || key === "_or") {
    demand(isList(value), `${key} has no list of conditions`);
    const parts = value.map((item) => expression(item, position));
    if (key === "_and") return joined("AND", parts);
    demand(parts.length > 0 && !parts.includes(null), "an _or is empty, or has an empty condition");
    return joined("OR", parts);
  }
  if (key === "_not") {
    const inner = expression(value, { ...position, isNegated: true });
    demand(inner !== null, "it matches no row");
    return `NOT (${inner})`;
  }
  const { at, isOpen, isNegated } = position;
  const relation = at.relations.get(key);
  if (relation !== undefined)
    return otherRow(relation.name, value, { ...position, at: relation.target, isOpen: isOpen || isNegated });
  const column = at.columns.get(key);
  demand(column !== undefined, `${key} is neither a field nor a relationship of the model`);
  const comparisons = Object.entries(isPart(value) ? value : { _eq: value });
  const parts = comparisons.map(([operator, operand]) => comparison(operator, operand, column, position));
  return joined("AND", parts);
}

/** The other row exists, as in Hasura also for an object relationship. Relationships in a row are one path. */
function otherRow(path: string, filter: Json, position: Position): string {
  const { at, isNegated, written } = position;
  demand(!isNegated || at !== written, "the written row could be the one that must not exist");
  const [[key, value] = ["", null], second] = isPart(filter) ? Object.entries(filter) : [];
  const next = at.relations.get(key);
  if (next !== undefined && second === undefined)
    return otherRow(`${path}.${next.name}`, value, { ...position, at: next.target });
  const where = expression(filter, position);
  return `EXISTS (${path}${where === null ? "" : ` WHERE ${where}`})`;
}

// biome-ignore format: many a line
const symbols: ReadonlyMap<string, string> = new Map([
  ["_eq", "="], ["_neq", "<>"], ["_gt", ">"], ["_lt", "<"], ["_gte", ">="], ["_lte", "<="], ["_in", "IN"], ["_nin", "NOT IN"],
  ["_like", "LIKE"], ["_nlike", "NOT LIKE"], ["_ilike", "ILIKE"], ["_nilike", "NOT ILIKE"],
]);

function comparison(operator: string, operand: Json, column: HeldColumn, position: Position): string {
  const name = column.place === "id" ? "id" : column.name;
  const { at, written } = position;
  const stored = mapOf(at.fields[name] ?? mapOf(at.model["columns"])[name]);
  const { out_of_range: lost, generated, default: filled } = stored;
  demand(lost === undefined, `${name} has values that conditions take for null`);
  const isSetLater = generated === true || (operator === "_is_null" && isPart(filled));
  demand(at !== written || !isSetLater, `the database sets ${name} after the check`);
  if (operator === "_is_null" && typeof operand === "boolean")
    return `${name} IS ${operand ? "NULL" : "NOT NULL"}`;
  const symbol = symbols.get(operator);
  const inList = operator === "_in" || operator === "_nin";
  const operands = inList && isList(operand) ? operand : [operand];
  // Only Hasura reads a backslash as an escape, and wildcards in a session variable.
  const isPlain =
    !column.held.column.startsWith("char") && !/\\|^(x-hasura-|req_user_id)/i.test(String(operand));
  const isPattern = !operator.endsWith("like") || isPlain;
  const isSayable = symbol !== undefined && operands.length > 0 && isList(operand) === inList && isPattern;
  demand(isSayable, `conditions cannot say ${operator} with the value of ${name}`);
  const values = operands.map((one) => valueText(one, column, position)).join(", ");
  return `${name} ${symbol} ${inList ? `(${values})` : values}`;
}

/** The models whose ids a part of a permission compares with the caller. */
export function callersIn(value: Json, at: HasuraModel): HasuraModel[] {
  if (isList(value)) return value.flatMap((item) => callersIn(item, at));
  return Object.entries(mapOf(value)).flatMap(([key, inner]) => {
    const isId = key === at.table.id?.source.name;
    if (isId && /"x-hasura-user-id"/i.test(JSON.stringify(inner))) return [at];
    return callersIn(inner, at.relations.get(key)?.target ?? at);
  });
}

const numbers = ["integer", "bigint", "float", "decimal"];

function valueText(value: Json, { held: { type } }: HeldColumn, { isOpen }: Position) {
  const isExact = typeof value === "number" && Math.abs(value) <= Number.MAX_SAFE_INTEGER;
  if (typeof value === "boolean" || isExact) return String(value);
  demand(typeof value === "string", "a value is null, a list, a map or a large number");
  const word = value.toLowerCase();
  if (word === "x-hasura-role") return "{role}";
  if (word === "x-hasura-user-id") {
    // An id that does not fit the column is NULL, and NOT EXISTS takes that for a row that is not there.
    const isSafe = !isOpen || type === "string" || type === "text";
    demand(isSafe, "it would be open to a caller whose id is not of the type of the column");
    return "{user_id}";
  }
  const isVariable = word.startsWith("x-hasura-") || word === "req_user_id";
  demand(!isVariable, `callers have no ${value}: compare with a column of "users", {user.<column>}`);
  // Whether the offset of a time counts depends on the type of the column.
  demand(type !== "datetime" || word === "now()", "a time is not now()");
  if (type === "datetime") return word;
  if (numbers.includes(type) && /^-?\d+(\.\d+)?$/.test(value)) return value;
  if (type === "boolean" && /^(true|false)$/.test(word)) return word;
  return `'${value.replaceAll("'", "''")}'`;
}

/** Several conditions with one word between them. */
function joined(word: "AND" | "OR", parts: readonly (string | null)[]): string | null {
  const other = word === "AND" ? " OR " : " AND ";
  const [first = null, ...more] = new Set(parts.filter((part) => part !== null));
  if (first === null || more.length === 0) return first;
  return [first, ...more].map((part) => (part.includes(other) ? `(${part})` : part)).join(` ${word} `);
}
