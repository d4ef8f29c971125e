import { administratorRoles, guestRole, isReservedRole } from "../../../vocabulary/accounts/role-names.ts";
import type { Json } from "../../../vocabulary/json.ts";
import { compileCondition } from "../../conditions/index.ts";
import { isPart } from "../../emit/client/json-parts.ts";
import { conditionScope } from "../../resolve/scope-of-model.ts";
import { fillsItself, lacksRequired } from "../as-found/found-model-json.ts";
import { type HeldColumn, isReadOnly, isTextId } from "../as-found/found-table.ts";
import { demand, type HasuraModel, rowCondition, Unsayable } from "./bool-exp.ts";
import { type HasuraPermission, type JsonMap, mapOf, textsOf } from "./hasura-metadata.ts";
import type { addRelationships } from "./relationships.ts";

/** What a permission becomes. */
export type PermissionRule = ReturnType<typeof permissionRule>;

/** The operation of a permission, and the keys that a rule says. Any other key closes the operation. */
const kinds = {
  select: ["fetch", "columns filter limit allow_aggregations computed_fields subscription_root_fields"],
  insert: ["create", "columns check set"],
  update: ["update", "columns filter check set"],
  delete: ["delete", "filter"],
} as const;

/** What the permissions of all tables share. `guest` is Hasura's role of callers without a credential. */
export type RuleContext = ReturnType<typeof addRelationships> & { readonly guest: string | null };

/** The rule of a permission. Throws `Unsayable` if no rule can say it. */
export function permissionRule(permission: HasuraPermission, model: HasuraModel, context: RuleContext) {
  const { operation, content } = permission;
  const [own, keys] = kinds[operation];
  const role = roleOf(permission.role, context.guest);
  const { table, columns: all, fields: stored } = model;
  const others = Object.entries(content).filter(([, value]) => value !== false && value !== null);
  const unknown = others.find(([key]) => !keys.split(" ").includes(key));
  demand(unknown === undefined, `${unknown?.[0]} has no counterpart`);
  const isInsert = operation === "insert";
  demand(operation === "select" || !isReadOnly(table), "its rows have no id, so the model can only be read");
  demand(!isInsert || !lacksRequired(table), "a required column has no field, so no row can be created");
  const { filter, check, limit = null, allow_aggregations: aggregates } = content;
  const isLimit = limit === null || (typeof limit === "number" && limit > 0 && limit % 1 === 0);
  demand(isLimit, "its limit is not a whole number above 0");
  const sets = setsOf(content["set"] ?? {}, isInsert, model);
  const values = [...sets].map(([column, value]) => {
    return { [column]: value === null ? { _is_null: true } : { _eq: value } };
  });
  const filters = isInsert ? [check, ...values] : [filter, check ?? {}];
  const condition = rowCondition(filters, model, Object.keys(mapOf(check)).length > 0);
  const isAboutCaller = /\{(user_id|role)\}/.test(condition ?? "");
  demand(role !== guestRole || !isAboutCaller, "it compares with the caller, and guests have no id");
  const node = context.graph.get(table.key);
  const isFilter = node !== undefined && condition !== null;
  const problems = isFilter ? compileCondition(condition, conditionScope(context.graph, node)).problems : [];
  for (const { message } of problems) throw new Unsayable(message);
  const isAll = content["columns"] === "*";
  const named = isAll ? [...all.keys()] : textsOf(content["columns"]).filter((one) => one !== "*");
  const columns = named.flatMap((one) => all.get(one) ?? []);
  const set = [...sets].flatMap(([column, value]) => (value === null ? [] : column));
  const sent = table.columns.filter((column) => {
    const value = sets.get(column.source.name);
    return value === undefined ? columns.includes(column) : value !== null;
  });
  const isUnlisted = isInsert && table.id !== null && !sent.includes(table.id) && !isField(table.id, stored);
  const isUuid = table.id?.held.type === "uuid";
  const isChosen = isUnlisted && (isUuid || isTextId(table.id.held) || !fillsItself(table.id));
  const isFree = !isChosen || (isUuid && !context.callers.includes(model));
  demand(isFree, `${chosenId}, which is not among its columns`);
  const fields = sent.filter((column) => isField(column, stored)).map((column) => column.name);
  const isWhole = operation === "select" || operation === "delete" || (isAll && sets.size === 0);
  demand(isWhole || fields.length > 0, "its callers send no field, and a write needs one");
  const setBySender = `callers send ${set.join(", ")} themselves, and only with the values that Hasura sets`;
  return {
    role,
    operations: aggregates === true ? [own, "search"] : [own],
    condition,
    // The fields that a caller can send; null for all.
    fields: isWhole ? null : fields,
    columns,
    limit,
    // What is not as in Hasura.
    notes: [
      ...named.filter((one) => !all.has(one)).map((one) => `${one} is no field`),
      ...(set.length === 0 ? [] : [setBySender]),
      ...(isChosen ? [chosenId] : []),
    ],
  };
}

const chosenId = "callers can choose the id of a new row";

function roleOf(role: string, guest: string | null): string {
  const isKiraks = administratorRoles.includes(role) || isReservedRole(role);
  const isGuest = role === guestRole && guest !== guestRole;
  const isRole = !isKiraks && !isGuest && role.trim() === role && /^\P{C}+$/u.test(role);
  demand(isRole, `the role ${JSON.stringify(role)} has another meaning in Kirak: docs/hasura.md#accounts`);
  return role === guest ? guestRole : role;
}

/** The values that a permission sets, except times that the server sets too. An insert has them as conditions: callers send them. */
function setsOf(set: Json, isInsert: boolean, { columns, fields }: HasuraModel): Map<string, Json> {
  demand(isPart(set), "its set is not a map");
  const sent = Object.entries(set).filter(([name, value]) => {
    const column = columns.get(name);
    const isNow = /^now\(\)$/i.test(String(value));
    const place = column?.place;
    if (isNow && (place === "updated_at" || (isInsert && place === "created_at"))) return false;
    const isId = place === "id" && column?.held.type === "uuid";
    // Callers could send another spelling of a citext, and cannot send null where there is a default.
    const { default: filled } = mapOf(fields[column?.name ?? ""]);
    const isSame = column?.held.column !== "citext" && (value !== null || filled === undefined);
    const isSent = isInsert && !isNow && isSame && column !== undefined && (isId || isField(column, fields));
    demand(isSent, `it sets ${name}: set it in a hook or a preset`);
    return true;
  });
  return new Map(sent);
}

/** Whether callers can send a column as a field. */
function isField({ name, place, source, held }: HeldColumn, fields: JsonMap): boolean {
  const isFilled = source.generated || (source.identity !== null && place !== "id");
  return Object.hasOwn(fields, name) && !isFilled && held.column !== "tsvector";
}
