import type { Json } from "../../../vocabulary/json.ts";
import type { FoundTable, HeldColumn } from "../as-found/found-table.ts";
import { listOf, mapOf } from "./hasura-metadata.ts";

/** A table in conditions. */
export interface ConditionTable {
  readonly table: FoundTable;
  /** The relationships by their names in Hasura, with their names in conditions. */
  readonly relations: Map<string, { readonly name: string; readonly target: ConditionTable }>;
  /** Whether a condition compares its id with the caller. Set while conditions are read. */
  isCaller: boolean;
}

/** Why a part of the metadata cannot be a part of a rule. */
export class Unsayable extends Error {}

/** The row condition of boolean expressions that all have to hold; null for all rows. Throws `Unsayable`. */
export function rowCondition(filters: readonly (Json | undefined)[], at: ConditionTable): string | null {
  const position = { at, isNegated: false, isOpen: false };
  return joined(
    "AND",
    filters.map((filter) => expression(filter, position)),
  );
}

interface Position {
  readonly at: ConditionTable;
  /** Whether a `_not` is around it. */
  readonly isNegated: boolean;
  /** Whether an unknown comparison opens the row: it is in an EXISTS below a `_not`. */
  readonly isOpen: boolean;
}

function expression(filter: Json | undefined, position: Position): string | null {
  if (!(filter instanceof Object) || Array.isArray(filter))
    throw new Unsayable("its filter or check is not a boolean expression");
  return joined(
    "AND",
    Object.entries(mapOf(filter)).map(([key, value]) => entry(key, value, position)),
  );
}

function entry(key: string, value: Json, position: Position): string | null {
  if (key === "_and" || key === "_or") {
    if (!Array.isArray(value) || (key === "_or" && value.length === 0))
      throw new Unsayable(`${key} has no list of conditions`);
    const parts = listOf(value).map((item) => expression(item, position));
    return key === "_or" && parts.includes(null) ? null : joined(key === "_or" ? "OR" : "AND", parts);
  }
  if (key === "_not") {
    const inner = expression(value, { ...position, isNegated: true });
    if (inner === null) throw new Unsayable("it matches no row");
    return `NOT (${inner})`;
  }
  const relation = position.at.relations.get(key);
  if (relation !== undefined) {
    const isOpen = position.isOpen || position.isNegated;
    return otherRow(relation.name, value, { ...position, at: relation.target, isOpen });
  }
  const column = position.at.table.columns.find(({ source }) => source.name === key);
  if (column === undefined) throw new Unsayable(`${key} is neither a field nor a relationship of the model`);
  const isMap = value instanceof Object && !Array.isArray(value);
  const comparisons = Object.entries(isMap ? mapOf(value) : { _eq: value });
  return joined(
    "AND",
    comparisons.map(([operator, operand]) => comparison(operator, operand, column, position)),
  );
}

/** The other row exists, as in Hasura also for an object relationship. Relationships in a row are one path. */
function otherRow(path: string, filter: Json, position: Position): string {
  const [[key, value] = ["", null], second] = Object.entries(mapOf(filter));
  const next = position.at.relations.get(key);
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
  if (operator === "_is_null" && typeof operand === "boolean")
    return `${name} IS ${operand ? "" : "NOT "}NULL`;
  const symbol = symbols.get(operator);
  const isList = operator === "_in" || operator === "_nin";
  if (symbol === undefined || (isList && listOf(operand).length === 0))
    throw new Unsayable(`conditions cannot say ${operator} with the value of ${name}`);
  if (!isList) return `${name} ${symbol} ${valueText(operand, column, position)}`;
  return `${name} ${symbol} (${listOf(operand)
    .map((item) => valueText(item, column, position))
    .join(", ")})`;
}

const numbers = ["integer", "bigint", "float", "decimal"];

function valueText(value: Json, { place, held: { type } }: HeldColumn, { at, isOpen }: Position): string {
  const isExact = typeof value === "number" && Math.abs(value) <= Number.MAX_SAFE_INTEGER;
  if (typeof value === "boolean" || isExact) return String(value);
  if (typeof value !== "string") throw new Unsayable("a value is null, a list, a map or a large number");
  const word = value.toLowerCase();
  if (word === "x-hasura-role") return "{role}";
  if (word === "x-hasura-user-id") {
    // An id that does not fit the column is NULL, and NOT EXISTS takes that for a row that is not there.
    if (isOpen && type !== "string" && type !== "text")
      throw new Unsayable("it would be open to a caller whose id is not of the type of the column");
    if (place === "id") at.isCaller = true;
    return "{user_id}";
  }
  if (word.startsWith("x-hasura-") || word === "req_user_id")
    throw new Unsayable(
      `callers have no ${value}: add a column to "users", and compare with {user.<column>}`,
    );
  if (type === "datetime" && word === "now()") return word;
  const isPlain =
    (numbers.includes(type) && /^-?\d+(\.\d+)?$/.test(value)) ||
    (type === "boolean" && /^(true|false)$/.test(word));
  return isPlain ? word : `'${value.replaceAll("'", "''")}'`;
}

/** Several conditions with one word between them. */
function joined(word: "AND" | "OR", parts: readonly (string | null)[]): string | null {
  const other = word === "AND" ? " OR " : " AND ";
  const different = [...new Set(parts.filter((part) => part !== null))];
  const [only = null, second] = different;
  if (second === undefined) return only;
  return different.map((part) => (part.includes(other) ? `(${part})` : part)).join(` ${word} `);
}
