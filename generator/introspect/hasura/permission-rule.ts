import { administratorRoles, guestRole, isReservedRole } from "../../../vocabulary/accounts/role-names.ts";
import type { Json } from "../../../vocabulary/json.ts";
import { isPart } from "../../emit/client/json-parts.ts";
import { lacksRequired } from "../as-found/found-model-json.ts";
import { type HeldColumn, isReadOnly } from "../as-found/found-table.ts";
import { demand, type HasuraModel, rowCondition } from "./bool-exp.ts";
import { type HasuraPermission, type JsonMap, mapOf, textsOf } from "./hasura-metadata.ts";

/** What a permission becomes. */
export interface PermissionRule {
  readonly role: string;
  readonly operations: readonly string[];
  readonly condition: string | null;
  /** The fields that a caller can send; null for all. */
  readonly fields: readonly string[] | null;
  /** The columns of the permission. */
  readonly columns: readonly string[];
  readonly limit: number | null;
  /** What is not as in Hasura. */
  readonly notes: readonly string[];
}

/** The keys that a rule says. Any other key closes the operation. */
const knownKeys = {
  select: "columns filter limit allow_aggregations computed_fields subscription_root_fields",
  insert: "columns check set",
  update: "columns filter check set",
  delete: "filter",
};

const operations = { select: ["fetch"], insert: ["create"], update: ["update"], delete: ["delete"] };

/** The rule of a permission. `guest` is Hasura's role of callers without a credential. Throws `Unsayable` if no rule can say it. */
export function permissionRule(
  { role: name, operation, content }: HasuraPermission,
  model: HasuraModel,
  guest: string | null,
): PermissionRule {
  const role = roleOf(name, guest);
  const others = Object.entries(content).filter(([, value]) => value !== false && value !== null);
  const unknown = others.find(([key]) => !knownKeys[operation].split(" ").includes(key));
  demand(unknown === undefined, `${unknown?.[0]} has no counterpart`);
  const isWritable = operation === "select" || !isReadOnly(model.table);
  demand(isWritable, "its rows have no id, so the model can only be read");
  const { filter, check, set, limit = null, allow_aggregations: aggregates } = content;
  const isLimit = limit === null || (typeof limit === "number" && limit > 0 && limit % 1 === 0);
  demand(isLimit, "its limit is not a whole number above 0");
  const sets = setsOf(set ?? {}, operation === "insert", model);
  const values = Object.entries(sets).map(([column, value]) => {
    return { [column]: value === null ? { _is_null: true } : { _eq: value } };
  });
  const both = [filter, check ?? {}];
  const filters = { select: [filter], insert: [check, ...values], update: both, delete: [filter] };
  const condition = rowCondition(filters[operation], model, Object.keys(mapOf(check)).length > 0);
  const isAboutCaller = /\{(user_id|role)\}/.test(condition ?? "");
  demand(role !== guestRole || !isAboutCaller, "it compares with the caller, and guests have no id");
  const columns = columnsOf(content["columns"]);
  const absent = columns.filter((name) => name !== "*" && !hasColumn(model, name));
  const isSent = operation === "insert" || operation === "update";
  return {
    role,
    operations: aggregates === true ? [...operations[operation], "search"] : operations[operation],
    condition,
    fields: isSent ? sentFields(columns, sets, model) : null,
    columns,
    limit,
    notes: [
      ...absent.map((name) => `${name} is no field`),
      ...(operation === "insert" ? insertNotes(columns, sets, model) : []),
    ],
  };
}

/** The names, or only `*`. */
function columnsOf(sent: Json | undefined): string[] {
  return sent === "*" ? ["*"] : textsOf(sent).filter((name) => name !== "*");
}

function hasColumn({ table }: HasuraModel, name: string): boolean {
  return table.columns.some(({ source }) => source.name === name);
}

function roleOf(role: string, guest: string | null): string {
  const isKiraks = administratorRoles.includes(role) || isReservedRole(role);
  const isGuest = role === guestRole && guest !== guestRole;
  const isRole = !isKiraks && !isGuest && role.trim() === role && /^\P{C}+$/u.test(role);
  demand(isRole, `the role ${JSON.stringify(role)} has another meaning in Kirak: docs/hasura.md#accounts`);
  return role === guest ? guestRole : role;
}

/** The values that a permission sets, except times that the server sets too. An insert has them as conditions: callers send them. */
function setsOf(set: Json, isInsert: boolean, { table, model, fields }: HasuraModel): JsonMap {
  demand(isPart(set), "its set is not a map");
  const sent = Object.entries(set).filter(([name, value]) => {
    const column = table.columns.find(({ source }) => source.name === name);
    const isNow = /^now\(\)$/i.test(String(value));
    const place = column?.place;
    if (isNow && (place === "updated_at" || (isInsert && place === "created_at"))) return false;
    const isId = place === "id" && model["id_type"] === "uuid";
    // Callers could send another spelling of a citext, and cannot send null where there is a default.
    const { default: filled } = mapOf(fields[column?.name ?? ""]);
    const isSame = column?.held.column !== "citext" && (value !== null || filled === undefined);
    const isSent = isInsert && !isNow && isSame && column !== undefined && (isId || isField(column, fields));
    demand(isSent, `it sets ${name}: set it in a hook or a preset`);
    return true;
  });
  return Object.fromEntries(sent);
}

/** The fields that a caller can send; null for all. Throws `Unsayable` if none is left. */
function sentFields(columns: readonly string[], sets: JsonMap, { table, fields }: HasuraModel) {
  const isAll = columns.includes("*");
  if (isAll && Object.keys(sets).length === 0) return null;
  const sent = table.columns.filter((column) => {
    const { name } = column.source;
    const isSent = Object.hasOwn(sets, name) ? sets[name] !== null : isAll || columns.includes(name);
    return isSent && isField(column, fields);
  });
  demand(sent.length > 0, "its callers send no field, and a write needs one");
  return sent.map(({ name }) => name);
}

/** Remarks on values that callers send, but not in Hasura. Throws `Unsayable` if they cannot be sent, or if an id could be that of a caller. */
function insertNotes(columns: readonly string[], sets: JsonMap, from: HasuraModel): string[] {
  const { table, model, fields, isCaller } = from;
  demand(!lacksRequired(table), "a required column has no field, so no row can be created");
  const sent = Object.keys(sets).filter((name) => sets[name] !== null);
  const own = `callers send ${sent.join(", ")} themselves, and only with the values that Hasura sets`;
  const notes = sent.length === 0 ? [] : [own];
  const name = table.id?.source.name ?? "*";
  const isGiven = columns.includes("*") || columns.includes(name) || Object.hasOwn(sets, name);
  const { id_type: type, columns: stored } = model;
  const isChosen = type === "uuid" || type === "string" || mapOf(mapOf(stored)["id"])["generated"] === false;
  if (table.id === null || isGiven || !isChosen || isField(table.id, fields)) return notes;
  const text = "callers can choose the id of a new row";
  demand(type === "uuid" && !isCaller, `${text}, which is not among its columns`);
  return [...notes, text];
}

/** Whether callers can send a column as a field. */
function isField({ name }: HeldColumn, fields: JsonMap): boolean {
  const { type, generated, db_type: stored } = mapOf(fields[name]);
  return type !== undefined && generated !== true && stored !== "tsvector";
}
