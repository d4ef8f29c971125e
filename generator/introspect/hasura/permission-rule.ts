import { administratorRoles, guestRole, isReservedRole } from "../../../vocabulary/accounts/role-names.ts";
import type { Json } from "../../../vocabulary/json.ts";
import { lacksRequired } from "../as-found/found-model-json.ts";
import { type HeldColumn, isReadOnly } from "../as-found/found-table.ts";
import { type ConditionTable, rowCondition, Unsayable } from "./bool-exp.ts";
import {
  type HasuraOperation,
  type HasuraPermission,
  type JsonMap,
  mapOf,
  textsOf,
} from "./hasura-metadata.ts";

/** A table with its model, and what conditions know about both. */
export interface RuledTable {
  readonly scope: ConditionTable;
  readonly model: JsonMap;
  /** Why a condition does not fit the model, or null. */
  readonly problem: (condition: string) => string | null;
}

/** What a permission becomes. */
export interface PermissionRule {
  readonly role: string;
  readonly operations: readonly string[];
  readonly condition: string | null;
  /** The fields that a caller can send; null for all. */
  readonly fields: readonly string[] | null;
  /** The columns that Hasura permits. */
  readonly columns: readonly string[];
  readonly limit: number | null;
  /** What is not as in Hasura. */
  readonly notes: readonly string[];
}

/** The keys that a rule says. Any other key closes the operation. */
const knownKeys: Readonly<Record<HasuraOperation, readonly string[]>> = {
  // biome-ignore format: many a line
  select: ["columns", "filter", "limit", "allow_aggregations", "computed_fields", "subscription_root_fields"],
  insert: ["columns", "check", "set"],
  update: ["columns", "filter", "check", "set"],
  delete: ["filter"],
};

const operations = { select: ["fetch"], insert: ["create"], update: ["update"], delete: ["delete"] };

/** The rule of a permission. `guest` is Hasura's role of callers without a credential. Throws `Unsayable` if no rule can say it. */
export function permissionRule(
  { role: name, operation, content }: HasuraPermission,
  ruled: RuledTable,
  guest: string | null,
): PermissionRule {
  const role = roleOf(name, guest);
  for (const [key, value] of Object.entries(content))
    if (!knownKeys[operation].includes(key) && value !== false && value !== null)
      throw new Unsayable(`${key} has no counterpart`);
  if (operation !== "select" && isReadOnly(ruled.scope.table))
    throw new Unsayable("its rows have no id, so the model can only be read");
  const { filter, check, limit = null, allow_aggregations: aggregates } = content;
  if (limit !== null && !(typeof limit === "number" && limit > 0))
    throw new Unsayable("its limit is not a number above 0");
  const sets = setsOf(content["set"] ?? {}, operation, ruled);
  const values = Object.entries(sets).map(([column, value]) => {
    return { [column]: value === null ? { _is_null: true } : { _eq: value } };
  });
  const filters = {
    select: [filter],
    insert: [check, ...values],
    update: [filter, check ?? {}],
    delete: [filter],
  };
  const condition = rowCondition(filters[operation], ruled.scope);
  if (role === guestRole && /\{(user_id|role)\}/.test(condition ?? ""))
    throw new Unsayable("it compares with the caller, and guests have no id");
  const problem = condition === null ? null : ruled.problem(condition);
  if (problem !== null) throw new Unsayable(problem);
  const columns = textsOf(content["columns"]);
  const isSent = operation === "insert" || operation === "update";
  return {
    role,
    operations: aggregates === true ? [...operations[operation], "search"] : operations[operation],
    ...{ condition, columns, limit },
    fields: isSent ? sentFields(columns, sets, ruled) : null,
    notes: operation === "insert" ? insertNotes(columns, sets, ruled) : [],
  };
}

function roleOf(role: string, guest: string | null): string {
  const isKiraks = administratorRoles.includes(role) || isReservedRole(role) || role.trim() !== role;
  if (isKiraks || role === "" || (role === guestRole && guest !== guestRole))
    throw new Unsayable(`the role ${JSON.stringify(role)} has another meaning here: docs/hasura.md#roles`);
  return role === guest ? guestRole : role;
}

/** The columns that a permission sets, with their values. Those that only an insert sets are conditions, so callers have to send them. */
function setsOf(set: Json, operation: HasuraOperation, { scope: { table }, model }: RuledTable): JsonMap {
  if (typeof set !== "object" || Array.isArray(set)) throw new Unsayable("its set is not a map");
  const isInsert = operation === "insert";
  const sent = Object.entries(mapOf(set)).filter(([name, value]) => {
    const column = table.columns.find(({ source }) => source.name === name);
    const isNow = /^now\(\)$/i.test(String(value));
    // The server sets these times.
    if (isNow && (column?.place === "updated_at" || (isInsert && column?.place === "created_at")))
      return false;
    const isId = column?.place === "id" && model["id_type"] === "uuid";
    if (!isInsert || isNow || column === undefined || !(isId || isField(column, model)))
      throw new Unsayable(`it sets ${name}: set it in a hook or a preset`);
    return true;
  });
  return Object.fromEntries(sent);
}

/** The fields that a caller can send; null for all. Throws `Unsayable` if none is left. */
function sentFields(
  columns: readonly string[],
  sets: JsonMap,
  { scope: { table }, model }: RuledTable,
): string[] | null {
  const isAll = columns.includes("*");
  if (isAll && Object.keys(sets).length === 0) return null;
  const isSent = (name: string) =>
    Object.hasOwn(sets, name) ? sets[name] !== null : isAll || columns.includes(name);
  const sent = table.columns.filter((column) => isField(column, model) && isSent(column.source.name));
  if (sent.length === 0) throw new Unsayable("its callers send no field, and a write needs one");
  return sent.map(({ name }) => name);
}

/** Remarks on values that only the server or the database chose. Throws `Unsayable` if callers cannot send an id, or could choose that of a caller. */
function insertNotes(columns: readonly string[], sets: JsonMap, { scope, model }: RuledTable): string[] {
  if (lacksRequired(scope.table))
    throw new Unsayable("a required column has no field, so no row can be created");
  const sent = Object.keys(sets).filter((name) => sets[name] !== null);
  const own = `callers send ${sent.join(", ")} themselves, and only with the values that Hasura sets`;
  const notes = sent.length === 0 ? [] : [own];
  const { id } = scope.table;
  const given = ["*", id?.source.name ?? "*"].some(
    (name) => columns.includes(name) || Object.hasOwn(sets, name),
  );
  if (id === null || given || isField(id, model)) return notes;
  const { id_type: type, columns: stored } = model;
  if (type === "string" || mapOf(mapOf(stored)["id"])["generated"] === false)
    throw new Unsayable("callers would have to send the id of a new row, which is not among its columns");
  if (type !== "uuid") return notes;
  if (scope.isCaller)
    throw new Unsayable("callers can choose the id of a new row, and rules compare it with the caller's");
  return [...notes, "callers can choose the id of a new row, a UUID"];
}

/** Whether callers can send a column as a field. */
function isField({ name }: HeldColumn, model: JsonMap): boolean {
  const { type, generated, db_type: stored } = mapOf(mapOf(model["fields"])[name]);
  return type !== undefined && generated !== true && stored !== "tsvector";
}
