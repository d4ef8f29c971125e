import { conditionLimits } from "../../../vocabulary/conditions/conditions.ts";
import type { Json } from "../../../vocabulary/json.ts";
import type { CatalogSchema } from "../../../vocabulary/migrations/catalog.ts";
import { adoptAsFound, type FoundModels } from "../as-found/adopt-as-found.ts";
import type { FoundRemark } from "../as-found/found-remarks.ts";
import type { FoundOptions } from "../as-found/tables-as-found.ts";
import { demand, type HasuraModel, Unsayable } from "./bool-exp.ts";
import { type HasuraMetadata, hasuraRemark, type JsonMap, mapOf, placeOf } from "./hasura-metadata.ts";
import { type PermissionRule, permissionRule, type RuleContext } from "./permission-rule.ts";
import { addRelationships, hasuraModel } from "./relationships.ts";

/** Describes the tracked tables of a database as they are, with the relationships and permissions of Hasura. */
export function adoptHasura(
  schemas: readonly CatalogSchema[],
  options: FoundOptions,
  metadata: HasuraMetadata,
): FoundModels {
  const entryOf = (schema: string, name: string) =>
    metadata.tables.find((table) => table.schema === schema && table.name === name);
  const chosen = schemas.map((schema) => {
    const tables = schema.tables.filter(({ name }) => entryOf(schema.name, name) !== undefined);
    return { ...schema, tables };
  });
  const found = adoptAsFound(chosen, { ...options, views: true });
  const models = found.tables.flatMap((table) => {
    const hasura = entryOf(table.schema, table.source.name);
    const model = mapOf(found.models[table.key]);
    return hasura === undefined ? [] : [hasuraModel({ hasura, table, model })];
  });
  const context = { ...addRelationships(models), guest: metadata.guest };
  const drafted = models.map((model) => ({ model, ...rulesOf(model, context) }));
  const conditions: { [name: string]: Json } = {};
  const content = drafted.map(({ model, rules }): [string, Json] => {
    const access = accessOf(model, rules, options.open, conditions);
    const limit = Math.min(...rules.map((rule) => rule.limit ?? Infinity));
    const limits = limit === Infinity ? {} : { max_limit: limit };
    return [model.table.key, { ...model.model, fields: model.fields, ...limits, access }];
  });
  const absent = metadata.tables.filter((table) => !models.some(({ hasura }) => hasura === table));
  const lost = [
    ...absent.map((table) => hasuraRemark(placeOf(table.content), `table ${table.name}: ${ofAbsent}`)),
    ...context.remarks,
    ...drafted.flatMap((one) => one.remarks),
    ...metadata.remarks,
  ];
  const byPlace = lost.toSorted((a, b) => a.place.localeCompare(b.place, "en", { numeric: true }));
  const named = Object.keys(conditions).length === 0 ? {} : { $conditions: conditions };
  return {
    models: { ...named, ...Object.fromEntries(content) },
    tables: found.tables,
    remarks: [...found.remarks, ...byPlace],
    // A new account has the role `user`, and could have the id of a user of the app.
    settings: { auth: { registration: false } },
  };
}

const ofAbsent = "the database has no such table, or it is here twice";

/** The rules of the permissions of a table, and remarks on those that stay closed or change. */
function rulesOf(model: HasuraModel, context: RuleContext) {
  const { name, permissions } = model.hasura;
  const rules: PermissionRule[] = [];
  const remarks: FoundRemark[] = [];
  for (const permission of permissions) {
    const { role, operation, place } = permission;
    const what = `${operation} of ${role} on ${name}`;
    try {
      const first = permissions.find((one) => one.role === role && one.operation === operation);
      demand(first === permission, "the role has this permission twice");
      const rule = permissionRule(permission, model, context);
      rules.push(rule);
      remarks.push(...rule.notes.map((note) => hasuraRemark(place, `${what}: ${note}`)));
    } catch (error) {
      if (!(error instanceof Unsayable)) throw error;
      remarks.push({ kind: "hasura-closed", place, text: `closed: ${what}: ${error.message}` });
    }
  }
  return { rules, remarks };
}

const ruledOperations = ["fetch", "search", "create", "update", "delete"];

/** The access of a model with some rules. Conditions that several rules have are added to `conditions`. */
function accessOf(
  { table, model, fields }: HasuraModel,
  all: readonly PermissionRule[],
  open: string | null,
  conditions: { [name: string]: Json },
): JsonMap {
  const others = open === null ? [] : [open];
  // The role of --open has all rights.
  const rules = all.filter(({ role }) => role !== open);
  const written = (condition: string) => {
    const users = rules.filter((rule) => rule.condition === condition);
    const name = `${table.key}_of_${users[0]?.role}`.toLowerCase().replace(/[^a-z0-9]+/g, "_");
    const named = { on: table.key, condition };
    const isFree = JSON.stringify(conditions[name] ?? named) === JSON.stringify(named);
    const isShared = users.flatMap(({ operations }) => operations).length > 1 && isFree;
    if (!isShared || condition.length > conditionLimits.characters || name.length > 41) return condition;
    conditions[name] = named;
    return `${name}()`;
  };
  const operations = ruledOperations.flatMap((operation): [string, Json][] => {
    const ofOperation = rules.filter((rule) => rule.operations.includes(operation));
    const entries = ofOperation.map(({ role, condition, fields }) => ({
      role,
      ...(condition === null ? {} : { condition: written(condition) }),
      ...(fields === null ? {} : { fields }),
    }));
    return entries.length === 0 ? [] : [[operation, [...entries, ...others.map((role) => ({ role }))]]];
  });
  const roles = new Set(rules.map(({ role }) => role));
  const gates = table.columns.flatMap((column): [string, Json][] => {
    const readers = rules.flatMap(({ role, operations, columns }) =>
      operations.includes("fetch") && columns.includes(column) ? role : [],
    );
    if (readers.length === roles.size) return [];
    const { place, name } = column;
    const names = place === "id" ? ["id", ...(Object.hasOwn(fields, name) ? [name] : [])] : [name];
    return names.map((field) => [field, { read: [...readers, ...others] }]);
  });
  return {
    ...mapOf(model["access"]),
    ...Object.fromEntries(operations),
    ...(gates.length === 0 ? {} : { fields: Object.fromEntries(gates) }),
  };
}
