import { conditionLimits } from "../../../vocabulary/conditions/conditions.ts";
import type { Json } from "../../../vocabulary/json.ts";
import type { CatalogSchema } from "../../../vocabulary/migrations/catalog.ts";
import { compileCondition } from "../../conditions/index.ts";
import { conditionScope } from "../../resolve/scope-of-model.ts";
import { adoptAsFound, type FoundModels } from "../as-found/adopt-as-found.ts";
import type { FoundRemark } from "../as-found/found-remarks.ts";
import type { FoundOptions } from "../as-found/tables-as-found.ts";
import { Unsayable } from "./bool-exp.ts";
import { type HasuraMetadata, type HasuraTable, type JsonMap, mapOf, placeOf } from "./hasura-metadata.ts";
import { type PermissionRule, permissionRule, type RuledTable } from "./permission-rule.ts";
import { withRelationships } from "./relationships.ts";

/** Describes the tracked tables of a database as they are, with the relationships and permissions of Hasura. */
export function adoptHasura(
  schemas: readonly CatalogSchema[],
  options: FoundOptions,
  { metadata, guest }: { readonly metadata: HasuraMetadata; readonly guest: string | null },
): FoundModels {
  const entryOf = (schema: string, name: string) =>
    metadata.tables.find((table) => table.schema === schema && table.name === name);
  const chosen = schemas.map((schema) => {
    const tables = schema.tables.filter(({ name }) => entryOf(schema.name, name) !== undefined);
    return { ...schema, tables };
  });
  const found = adoptAsFound(chosen, { ...options, views: true });
  const tracked = found.tables.flatMap((table) => {
    const hasura = entryOf(table.schema, table.source.name);
    return hasura === undefined ? [] : [{ table, hasura }];
  });
  const { models, graph, tables, remarks } = withRelationships(tracked, found.models);
  const draft = () =>
    tracked.flatMap(({ table, hasura }) => {
      const [node, scope] = [graph.get(table.key), tables.get(table)];
      if (node === undefined || scope === undefined) return [];
      const problem = (text: string) =>
        compileCondition(text, conditionScope(graph, node)).problems[0]?.message ?? null;
      const ruled = { model: mapOf(models[table.key]), scope, problem };
      return [{ ruled, ...rulesOf(hasura, ruled, guest) }];
    });
  // The first pass marks the ids that conditions compare with the caller.
  draft();
  const drafted = draft();
  const conditions: { [name: string]: Json } = {};
  const ruled = drafted.map(({ ruled, rules }) => [
    ruled.scope.table.key,
    ruledModel(ruled, rules, options.open, conditions),
  ]);
  const absent = metadata.tables.filter((table) => !tracked.some(({ hasura }) => hasura === table));
  const lost: FoundRemark[] = [
    { kind: "hasura", place: metadata.place, text: ofAll },
    ...absent.map(({ content, name }): FoundRemark => {
      return { kind: "hasura", place: placeOf(content), text: `table ${name}: ${ofAbsent}` };
    }),
    ...remarks,
    ...drafted.flatMap((one) => one.remarks),
    ...metadata.remarks,
  ];
  return {
    models: {
      ...(Object.keys(conditions).length === 0 ? {} : { $conditions: conditions }),
      ...Object.fromEntries(ruled),
    },
    tables: found.tables,
    remarks: [...found.remarks, ...lost.toSorted(byPlace)],
    // A new account has the role `user`, and could have the id of a user of the app.
    settings: { auth: { registration: false } },
  };
}

const ofAbsent = "the database has no such table, or it is here twice";

const ofAll =
  "auth.registration is false, unless the manifest has a value (docs/hasura.md#accounts); limits, counts and updates differ (docs/hasura.md#what-becomes-what)";

function byPlace(one: FoundRemark, other: FoundRemark): number {
  return one.place.localeCompare(other.place, "en", { numeric: true });
}

/** The rules of the permissions of a table, and remarks on those that stay closed or change. */
function rulesOf({ name, permissions }: HasuraTable, ruled: RuledTable, guest: string | null) {
  const rules: PermissionRule[] = [];
  const remarks: FoundRemark[] = [];
  for (const permission of permissions) {
    const { role, operation, place } = permission;
    const what = `${operation} of ${role} on ${name}`;
    try {
      if (permissions.find((one) => one.role === role && one.operation === operation) !== permission)
        throw new Unsayable("the role has this permission twice");
      const rule = permissionRule(permission, ruled, guest);
      rules.push(rule);
      const texts = rule.notes.map((note) => `${what}: ${note}`);
      remarks.push(...texts.map((text) => ({ kind: "hasura-narrower", place, text }) as const));
    } catch (error) {
      if (!(error instanceof Unsayable)) throw error;
      remarks.push({ kind: "hasura-closed", place, text: `${what}: ${error.message}` });
    }
  }
  return { rules, remarks };
}

/** The model with its rules. Conditions that several rules have are added to `conditions`. */
function ruledModel(
  { scope: { table }, model }: RuledTable,
  rules: readonly PermissionRule[],
  open: string | null,
  conditions: { [name: string]: Json },
): JsonMap {
  const others = open === null ? [] : [open];
  const uses = rules.flatMap(({ operations, condition }) => operations.map(() => condition));
  const calls = new Map<string, string>();
  const written = (role: string, condition: string) => {
    const isShared = uses.filter((text) => text === condition).length > 1;
    if (!isShared || condition.length > conditionLimits.characters) return condition;
    const call = calls.get(condition) ?? `${freeName(`${table.key}_of_${role}`, conditions)}()`;
    calls.set(condition, call);
    conditions[call.slice(0, -"()".length)] = { on: table.key, condition };
    return call;
  };
  const operations = ["fetch", "search", "create", "update", "delete"].flatMap(
    (operation): [string, Json][] => {
      const of = rules.filter((rule) => rule.operations.includes(operation));
      const entries = of.map(({ role, condition, fields }) => ({
        role,
        ...(condition === null ? {} : { condition: written(role, condition) }),
        ...(fields === null ? {} : { fields }),
      }));
      return of.length === 0 ? [] : [[operation, [...entries, ...others.map((role) => ({ role }))]]];
    },
  );
  const roles = new Set(rules.map(({ role }) => role));
  const gates = table.columns.flatMap(({ source, name, place }): [string, Json][] => {
    const readers = rules.filter(
      ({ operations, columns }) =>
        operations.includes("fetch") && (columns.includes("*") || columns.includes(source.name)),
    );
    if (readers.length === roles.size) return [];
    const gate = { read: [...readers.map(({ role }) => role), ...others] };
    const isField = place !== "id" || Object.hasOwn(mapOf(model["fields"]), name);
    return [...(place === "id" ? ["id"] : []), ...(isField ? [name] : [])].map((field) => [field, gate]);
  });
  const limits = rules.flatMap(({ limit }) => limit ?? []);
  return {
    ...model,
    ...(limits.length === 0 ? {} : { max_limit: Math.min(...limits) }),
    access: {
      ...mapOf(model["access"]),
      ...Object.fromEntries(operations),
      ...(gates.length === 0 ? {} : { fields: Object.fromEntries(gates) }),
    },
  };
}

function freeName(wanted: string, taken: JsonMap): string {
  const words = wanted
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_")
    .slice(0, 37);
  let name = words;
  for (let number = 2; Object.hasOwn(taken, name); number++) name = `${words}_${number}`;
  return name;
}
