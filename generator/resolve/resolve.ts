import { defaultSelfService, isSelfServicePart } from "../../vocabulary/account-features.ts";
import { columnsOfCondition } from "../../vocabulary/conditions/check-tree.ts";
import { isRouteMethod } from "../../vocabulary/custom-routes.ts";
import type { CreatingOperation } from "../../vocabulary/hook-names.ts";
import { internalTables } from "../../vocabulary/migrations/internal-tables.ts";
import type { Limit } from "../../vocabulary/rate-limits.ts";
import { compileCheck, compileDefinition, type ScopeModel } from "../conditions/index.ts";
import { defaults } from "../definition/defaults.ts";
import type {
  CheckDefinition,
  ConditionDefinition,
  ErrorDefinition,
  HooksDefinition,
  KeyDefinition,
  ModelDefinition,
  RouteDefinition,
  ServiceDefinition,
} from "../definition/definition.ts";
import { checkNamer, indexNamer, typeNames } from "../definition/names.ts";
import { usersKey } from "../load/built-in-users.ts";
import type { RawCondition, RawError, RawManifest, RawRoute } from "../load/raw.ts";
import type { ModelHooks, RawHooks } from "../load/read-hooks.ts";
import type { RawJobs } from "../load/read-jobs.ts";
import type { RawMails } from "../load/read-mails.ts";
import { formOf, hasColumn, type ModelGraph, type ModelNode } from "./model-graph.ts";
import { exposedOperations } from "./operations-of-model.ts";
import { resolveAccess } from "./resolve-access.ts";
import { resolveField, tableOf } from "./resolve-field.ts";
import { resolveLimits, resolveRateLimits, resolveRouteLimit, resolveStorage } from "./resolve-limits.ts";
import { resolveStored } from "./resolve-stored.ts";
import { conditionScope, namedConditions } from "./scope-of-model.ts";

/** Name of the hook file of the accounts. */
const authHooks = "auth";

/** Tables of the service itself that are not models, and their indexes. */
const internalNames = Object.entries(internalTables).flatMap(([table, indexes]) =>
  table === usersKey ? [] : [table, ...indexes],
);

/** Name of the hook file of GraphQL. */
const graphqlHooks = "graphql";

/** Hook files by name, relative to the project, and the exports of those of models. */
export interface HookFiles {
  readonly hooks: ReadonlyMap<string, string>;
  readonly modelHooks: ModelHooks;
}

/** The other files of the app: hooks, routes, jobs. */
export interface AppFiles extends HookFiles {
  readonly errors: readonly RawError[];
  readonly mails: Pick<RawMails, "mails">;
  readonly routes: readonly RawRoute[];
  readonly jobs: Pick<RawJobs, "jobs">;
  readonly namesQueue: boolean;
}

/** Resolves models and manifest, which have passed the checks, to the definition. The result is frozen. */
export function resolveService(
  graph: ModelGraph,
  manifest: RawManifest,
  { hooks, modelHooks, errors, mails, routes, jobs, namesQueue }: AppFiles,
  source: string,
): ServiceDefinition {
  const nodes = [...graph.values()];
  const names = typeNames(nodes.map(({ raw }) => raw.key));
  const namer = indexNamer([...nodes.map(tableOf), ...internalNames]);
  const rateLimits = resolveRateLimits(manifest);
  const serviceSchema = manifest.serviceSchema?.value ?? null;
  const shared = {
    names,
    namer,
    hooks,
    modelHooks,
    limit: rateLimits.default,
    serviceSchema,
    tools: manifest.mcp !== null,
  };
  const resolved = (node: ModelNode) => resolveModel(graph, node, shared);
  // Built-in models come first, so their indexes get the same names in every app.
  const builtIn = nodes.filter(({ raw }) => raw.builtIn).map(resolved);
  const own = nodes.filter(({ raw }) => !raw.builtIn).map(resolved);
  return freeze({
    name: manifest.name?.value ?? defaults.serviceName,
    source,
    serviceSchema,
    servicePrefix: manifest.servicePrefix?.value ?? "",
    authPrefix: manifest.authPrefix?.value ?? defaults.authPrefix,
    rateLimits,
    socialProviders: manifest.socialProviders.map(({ value }) => value),
    selfService:
      manifest.selfService?.map(({ value }) => value).filter(isSelfServicePart) ?? defaultSelfService,
    emailCodes: manifest.emailCodes?.value ?? false,
    passkeys: manifest.passkeys !== null,
    administration: manifest.administration?.value ?? true,
    kysely: manifest.kysely?.value ?? false,
    cookieName: manifest.cookieName?.value ?? null,
    refreshCookieName: manifest.refreshCookieName?.value ?? null,
    docs: {
      title: manifest.docs.title?.value ?? manifest.name?.value ?? defaults.serviceName,
      version: manifest.docs.version?.value ?? defaults.docsVersion,
      description: manifest.docs.description?.value ?? null,
    },
    storage: resolveStorage(manifest.storage),
    monitoring: manifest.monitoring,
    mcp: manifest.mcp !== null,
    conditions: [...graph.conditions.values()].map((raw) => resolveCondition(graph, raw)),
    models: [...own, ...builtIn],
    errors: errors.map(resolveError),
    mails: [...mails.mails],
    jobs: [...jobs.jobs],
    usesQueue: namesQueue || manifest.storage?.scope?.value === "user",
    graphqlHooks: hooksIn(hooks.get(graphqlHooks)),
    routes: routes.map((route) => resolveRoute(route, rateLimits.default, manifest.mcp !== null)),
  });
}

function resolveCondition(graph: ModelGraph, raw: RawCondition): ConditionDefinition {
  const { name, on, description } = raw;
  const named = namedConditions(graph).get(name);
  const text = raw.condition.value;
  const { condition, written } = named === undefined ? {} : compileDefinition(named);
  if (condition == null || written == null)
    throw new Error(`the condition ${name} does not compile, yet it passed the checks`);
  return { name, on: on.value, description, condition, written, text };
}

function resolveError({ code, status, description }: RawError): ErrorDefinition {
  return { code: code.value, status, description };
}

function resolveRoute(route: RawRoute, limit: Limit, tools: boolean): RouteDefinition {
  const { file, method, path, name, description, access, schemas, rateLimit, mcp } = route;
  if (!isRouteMethod(method.value))
    throw new Error(`there is no method ${method.value}, yet it passed the checks`);
  return {
    file,
    method: method.value,
    path: path.value,
    name: name?.value ?? null,
    description,
    schemas,
    access: access.roles.map(({ value }) => value),
    limit: resolveRouteLimit(rateLimit, limit),
    mcp: mcp === null || !tools ? null : { name: mcp.name.value, description: mcp.description },
  };
}

/** Values that all models share. */
interface Shared extends HookFiles {
  readonly names: ReadonlyMap<string, string>;
  readonly namer: ReturnType<typeof indexNamer>;
  readonly limit: Limit;
  readonly serviceSchema: string | null;
  /** Whether the module `mcp` is on. */
  readonly tools: boolean;
}

function resolveModel(graph: ModelGraph, node: ModelNode, shared: Shared): ModelDefinition {
  const { raw } = node;
  const { names, namer, hooks, modelHooks } = shared;
  const said = modelHooks.get(raw.key);
  return {
    key: raw.key,
    source: raw.at.file,
    builtIn: raw.builtIn,
    typeName: names.get(raw.key) ?? raw.key,
    table: tableOf(node),
    slug: raw.slug?.value ?? raw.key,
    description: raw.description,
    renamedFrom: raw.renamedFrom?.value ?? null,
    ...resolveStored(node, shared.serviceSchema),
    softDelete: raw.softDelete,
    internal: raw.internal,
    maxLimit: raw.maxLimit ?? defaults.maxLimit,
    fields: raw.fields.filter(hasColumn).map((field) => resolveField(graph, node, field)),
    relations: [...node.relations.values()],
    ...resolveKeys(node, namer),
    checks: resolveChecks(node, conditionScope(graph, node)),
    access: resolveAccess(node, conditionScope(graph, node)),
    limits: resolveLimits(raw.rateLimit, shared.limit),
    mcp: shared.tools ? exposedOperations(raw) : [],
    hooks: raw.builtIn ? hooksIn(hooks.get(authHooks)) : hooksIn(hooks.get(raw.key), said),
    filled: filledBy(said),
  };
}

function hooksIn(file: string | undefined, said?: RawHooks): HooksDefinition | null {
  return file === undefined ? null : { file, saysFills: said !== undefined && said.fills !== null };
}

/** A `fills` export covers all before-hooks of its file. Without a hook, no field is filled in. */
function filledBy(said: RawHooks | undefined): ModelDefinition["filled"] {
  const of = (operation: CreatingOperation) => {
    const hook = `before_${operation}`;
    if (said === undefined) return [];
    if (said.fills === null) return said.exported.has(hook) ? null : [];
    const lists = said.fills.lists?.filter((list) => list.hook.value === hook) ?? [];
    return [...new Set(lists.flatMap(({ fields }) => fields.map(({ value }) => value)))];
  };
  return { create: of("create"), upsert: of("upsert") };
}

/** Freezes a tree of plain objects and arrays, and returns it. */
function freeze<T>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const part of Object.values(value)) freeze(part);
  }
  return value;
}

/** Resolves the checks of a model, whose conditions are valid. */
function resolveChecks(node: ModelNode, scope: ScopeModel): CheckDefinition[] {
  const { checks } = node.raw;
  const constraints = checkNamer(
    tableOf(node),
    checks.map(({ name }) => name.value),
  );
  return checks.map(({ name, condition, message, field }, index) => {
    const compiled = compileCheck(condition.value, scope).condition;
    const [first] = compiled === null ? [] : columnsOfCondition(compiled);
    if (compiled === null || first === undefined)
      throw new Error(`condition ${condition.value} does not compile, yet passed the checks`);
    return {
      name: name.value,
      constraint: constraints[index] ?? name.value,
      condition: compiled,
      text: condition.value,
      field: field?.value ?? first,
      message: message.value,
    };
  });
}

type Namer = ReturnType<typeof indexNamer>;

/** Field lists of the unique keys: unique fields in declared order, then the composite ones, each once. */
function uniqueLists(node: ModelNode): string[][] {
  const fields = node.raw.fields.filter((field) => field.unique).map((field) => [field.name]);
  return distinct([...fields, ...node.raw.unique.map((list) => list.fields.map(({ value }) => value))]);
}

/**
 * Resolves unique keys and indexes of a model. A foreign key gets an index unless a unique key or a declared index begins with
 * its column, so that joins and `on_delete` find the rows.
 */
function resolveKeys(
  node: ModelNode,
  name: Namer,
): { uniqueKeys: KeyDefinition[]; indexes: KeyDefinition[] } {
  const table = tableOf(node);
  const unique = uniqueLists(node);
  const single = node.raw.fields.filter((field) => field.index).map((field) => [field.name]);
  const declared = [...single, ...node.raw.indexes.map((list) => list.fields.map(({ value }) => value))];
  // With soft delete a unique index holds only live rows, so a foreign key cannot use it.
  const first = new Set([...(node.raw.softDelete ? [] : unique), ...declared].map(([field]) => field));
  const references = node.raw.fields
    .filter((field) => formOf(field) === "belongs_to" && !first.has(field.name))
    .map((field) => [field.name]);
  return {
    uniqueKeys: unique.map((fields) => ({ name: name([table, ...fields], "key"), fields })),
    indexes: distinct([...declared, ...references]).map((fields) => ({
      name: name([table, ...fields], "idx"),
      fields,
    })),
  };
}

function distinct(lists: readonly string[][]): string[][] {
  return [...new Map(lists.map((list) => [list.join(), list])).values()];
}
