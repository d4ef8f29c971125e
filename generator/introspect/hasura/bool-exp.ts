import { nodeEntries, isNodeList, nodeItems, type MetadataNode, nodeText } from "./metadata-node.ts";

/** A table in conditions. */
export interface ConditionTable {
  readonly key: string;
  /** A column with its name in the model and the kind of its values; null if no field holds it. */
  column(name: string): { readonly name: string; readonly kind: string } | null;
  /** A relationship, or why conditions cannot use it. Undefined for an unknown name. */
  relation(name: string): ConditionRelation | string | undefined;
}

export interface ConditionRelation {
  /** The name in conditions. */
  readonly name: string;
  /** The column of this table that refers to the other one; null if the other table refers to this one. */
  readonly column: string | null;
  readonly target: ConditionTable;
}

/** Why a part of the metadata cannot be a part of a rule. */
export class Unsayable extends Error {}

/** All rows, no row, or the rows of a condition. */
export type WantedRows = "all" | "none" | RowText;

/** A condition; `exists` are the parts of one that is only EXISTS. */
export interface RowText {
  readonly text: string;
  readonly binds: "atom" | "AND" | "OR";
  readonly exists?: { readonly path: string; readonly where: string | null };
}

/** The rows of a boolean expression, and the columns of the table itself that it reads. */
export interface FilteredRows {
  readonly rows: WantedRows;
  readonly columns: ReadonlySet<string>;
}

/** The row condition of a boolean expression. Throws `Unsayable`. Adds models whose `id` is compared with the caller to `callerIds`. */
export function rowFilter(
  node: MetadataNode,
  table: ConditionTable,
  callerIds: Set<string> = new Set(),
): FilteredRows {
  const columns = new Set<string>();
  const position = { root: table, at: table, isInside: false, negated: false, hidesUnknown: true };
  return { rows: translated(node, { ...position, columns, callerIds }), columns };
}

interface Position {
  readonly root: ConditionTable;
  readonly at: ConditionTable;
  /** Whether it is in an EXISTS. */
  readonly isInside: boolean;
  /** Whether an odd number of `_not` is around it. */
  readonly negated: boolean;
  /** Whether an unknown comparison hides the row: it is not in an EXISTS below a negation. */
  readonly hidesUnknown: boolean;
  readonly columns: Set<string>;
  readonly callerIds: Set<string>;
}

function translated(node: MetadataNode, position: Position): WantedRows {
  if (!(node.value instanceof Map)) throw new Unsayable("it is not a boolean expression");
  const parts = [...nodeEntries(node)].map(([key, value]) => ofKey(key, value, position));
  return joined("AND", parts);
}

function ofKey(key: string, value: MetadataNode, position: Position): WantedRows {
  const word = key.replace(/^\$/, "_");
  if (word === "_and" || word === "_or") {
    if (!isNodeList(value.value)) throw new Unsayable(`${key} needs a list`);
    const parts = value.value.map((item) => translated(item, position));
    return joined(word === "_and" ? "AND" : "OR", parts);
  }
  if (word === "_not") return negation(translated(value, { ...position, negated: !position.negated }));
  if (word === "_exists") throw new Unsayable("_exists looks for rows without a relationship");
  const relation = position.at.relation(key);
  if (typeof relation === "string") throw new Unsayable(`the relationship ${key}: ${relation}`);
  if (relation !== undefined) return exists(relation, value, position);
  const column = position.at.column(key);
  if (column === null)
    throw new Unsayable(`${key} is neither a field nor a relationship; computed fields are neither`);
  if (!position.isInside) position.columns.add(key);
  const comparisons = value.value instanceof Map ? value.value : new Map([["_eq", value]]);
  return joined(
    "AND",
    [...comparisons].map(([op, operand]) => comparison(op, operand, { column, position })),
  );
}

/** The other row exists, as in Hasura also for an object relationship. */
function exists(relation: ConditionRelation, value: MetadataNode, position: Position): WantedRows {
  const { name, column, target } = relation;
  if (!position.isInside && column !== null) position.columns.add(column);
  const hidesUnknown = position.hidesUnknown && !position.negated;
  const inner = translated(value, { ...position, at: target, isInside: true, hidesUnknown });
  if (inner === "none") return "none";
  if (inner === "all") return existsText(name, null);
  if (inner.exists !== undefined) return existsText(`${name}.${inner.exists.path}`, inner.exists.where);
  return existsText(name, inner.text);
}

function existsText(path: string, where: string | null): RowText {
  const text = `EXISTS (${path}${where === null ? "" : ` WHERE ${where}`})`;
  return { text, binds: "atom", exists: { path, where } };
}

interface Compared {
  readonly column: { readonly name: string; readonly kind: string };
  readonly position: Position;
}

// biome-ignore format: many a line
const symbols: ReadonlyMap<string, string> = new Map([
  ["_eq", "="], ["_neq", "<>"], ["_ne", "<>"], ["_gt", ">"], ["_lt", "<"], ["_gte", ">="], ["_lte", "<="],
  ["_like", "LIKE"], ["_nlike", "NOT LIKE"], ["_ilike", "ILIKE"], ["_nilike", "NOT ILIKE"],
]);
// biome-ignore format: many a line
const ofColumns: ReadonlyMap<string, string> = new Map([
  ["_ceq", "="], ["_cne", "<>"], ["_cneq", "<>"], ["_cgt", ">"], ["_clt", "<"], ["_cgte", ">="], ["_clte", "<="],
]);

function comparison(key: string, operand: MetadataNode, compared: Compared): WantedRows {
  const op = key.replace(/^\$/, "_");
  const { column, position } = compared;
  const symbol = symbols.get(op);
  if (symbol !== undefined) return atom(`${column.name} ${symbol} ${valueText(operand, compared)}`);
  if (op === "_is_null" && typeof operand.value === "boolean")
    return atom(`${column.name} IS ${operand.value ? "" : "NOT "}NULL`);
  if (op === "_in" || op === "_nin") {
    if (!isNodeList(operand.value)) throw new Unsayable(`${key} needs a list of values`);
    if (operand.value.length === 0) return op === "_in" ? "none" : "all";
    const values = operand.value.map((item) => valueText(item, compared)).join(", ");
    return atom(`${column.name} ${op === "_in" ? "IN" : "NOT IN"} (${values})`);
  }
  const between = ofColumns.get(op);
  if (between === undefined) throw new Unsayable(`conditions have no operator ${key}`);
  return atom(`${column.name} ${between} ${otherColumn(operand, position)}`);
}

/** A column of the same row, or with `$` of the row of the rule. */
function otherColumn(operand: MetadataNode, { at, root, isInside, columns }: Position): string {
  const path = isNodeList(operand.value) ? nodeItems(operand).map(nodeText) : [nodeText(operand)];
  const isRoot = path.length === 2 && path[0] === "$";
  const of = isRoot ? root : at;
  const name = path.at(-1) ?? null;
  const column = name === null || path.length > (isRoot ? 2 : 1) ? null : of.column(name);
  if (name === null || column === null) throw new Unsayable("it compares with a column that is not a field");
  if (isRoot || !isInside) columns.add(name);
  return isRoot && isInside ? `this.${column.name}` : column.name;
}

const numbers = ["integer", "bigint", "int64", "float", "decimal"];

function valueText({ value }: MetadataNode, { column: { name, kind }, position }: Compared): string {
  if (typeof value === "boolean") return String(value);
  if (typeof value === "string") {
    const session = sessionValue(value);
    if (session === "{user_id}") noteCaller(name, kind, position);
    if (session !== null) return session;
    if (kind === "datetime" && /^now\(\)$/i.test(value)) return "now()";
    const isPlain = numbers.includes(kind) ? /^-?\d+(\.\d+)?$/.test(value) : kind === "boolean";
    return isPlain ? value : quoted(value);
  }
  if (value === null || !("digits" in value))
    throw new Unsayable(`${name} is compared with null, a list or a map`);
  return value.digits;
}

/** An id that does not fit the column is NULL, and NOT EXISTS takes that for a row that is not there. */
function noteCaller(name: string, kind: string, { at, hidesUnknown, callerIds }: Position): void {
  if (!hidesUnknown && kind !== "string" && kind !== "text")
    throw new Unsayable(
      "rows without a row of the caller would be open to a caller whose id is not of this type",
    );
  if (name === "id") callerIds.add(at.key);
}

/** The value of the caller for a session variable; null for other texts. Throws `Unsayable` for an unknown one. */
export function sessionValue(text: string): string | null {
  if (!/^x-hasura-/i.test(text)) return null;
  const name = text.toLowerCase();
  if (name === "x-hasura-user-id") return "{user_id}";
  if (name === "x-hasura-role") return "{role}";
  throw new Unsayable(
    `Kirak's callers have no ${text}: add a column to "users" and compare with {user.<column>}`,
  );
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

export function atom(text: string): RowText {
  return { text, binds: "atom" };
}

function negation(said: WantedRows): WantedRows {
  if (said === "all") return "none";
  return said === "none" ? "all" : atom(`NOT (${said.text})`);
}

/** Several conditions as one. */
export function joined(binds: "AND" | "OR", parts: readonly WantedRows[]): WantedRows {
  const [neutral, absorbing] = binds === "AND" ? (["all", "none"] as const) : (["none", "all"] as const);
  if (parts.includes(absorbing)) return absorbing;
  const texts = parts.flatMap((part) => (typeof part === "string" ? [] : [part]));
  const [only, ...others] = texts.filter(
    (part, place) => texts.findIndex(({ text }) => text === part.text) === place,
  );
  if (only === undefined) return neutral;
  if (others.length === 0) return only;
  const inside = (part: RowText) =>
    part.binds === "atom" || part.binds === binds ? part.text : `(${part.text})`;
  return { text: [only, ...others].map(inside).join(` ${binds} `), binds };
}
