import type { Creation } from "../../vocabulary/hook-names.ts";
import { internalTables } from "../../vocabulary/internal-tables.ts";
import type { Limit } from "../../vocabulary/limits.ts";
import { isRouteMethod } from "../../vocabulary/route-paths.ts";
import { defaults } from "../definition/defaults.ts";
import type {
  ErrorDefinition,
  HooksDefinition,
  ModelDefinition,
  RouteDefinition,
  ServiceDefinition,
} from "../definition/definition.ts";
import { indexNamer, typeNames } from "../definition/names.ts";
import { usersKey } from "../load/built-in-users.ts";
import type { RawError, RawManifest, RawRoute } from "../load/raw.ts";
import type { ModelHooks, RawHooks } from "../load/read-hooks.ts";
import type { RawJobs } from "../load/read-jobs.ts";
import type { RawMails } from "../load/read-mails.ts";
import { hasColumn, type ModelGraph, type ModelNode } from "./model-graph.ts";
import { resolveAccess } from "./resolve-access.ts";
import { resolveChecks } from "./resolve-checks.ts";
import { resolveField, tableOf } from "./resolve-field.ts";
import { resolveKeys } from "./resolve-keys.ts";
import { resolveLimits, resolveRateLimits, resolveRouteLimit, resolveStorage } from "./resolve-limits.ts";
import { conditionScope } from "./scope-of-model.ts";

/** Name of the hook file of the accounts. */
const authHooks = "auth";

/** Tables of the service itself that are no models, and their indexes. */
const internalNames = Object.entries(internalTables).flatMap(([table, indexes]) =>
  table === usersKey ? [] : [table, ...indexes],
);

/** Name of the hook file of GraphQL. */
const graphqlHooks = "graphql";

/** Hook files by name, relative to the project, and what those of models say. */
export interface HookFiles {
  readonly hooks: ReadonlyMap<string, string>;
  readonly modelHooks: ModelHooks;
}

/** What lies beside models and manifest. */
export interface Beside extends HookFiles {
  readonly errors: readonly RawError[];
  readonly mails: Pick<RawMails, "mails">;
  readonly routes: readonly RawRoute[];
  readonly jobs: Pick<RawJobs, "jobs">;
  readonly namesQueue: boolean;
}

/** Settles everything that the models and the manifest leave open. They have passed the checks. The result is frozen. */
export function resolveService(
  graph: ModelGraph,
  manifest: RawManifest,
  { hooks, modelHooks, errors, mails, routes, jobs, namesQueue }: Beside,
  source: string,
): ServiceDefinition {
  const nodes = [...graph.values()];
  const names = typeNames(nodes.map(({ raw }) => raw.key));
  const namer = indexNamer([...nodes.map(tableOf), ...internalNames]);
  const rateLimits = resolveRateLimits(manifest);
  const resolved = (node: ModelNode) =>
    resolveModel(graph, node, { names, namer, hooks, modelHooks, limit: rateLimits.default });
  // Indexes of the service itself keep their names whatever an app adds.
  const builtIn = nodes.filter(({ raw }) => raw.builtIn).map(resolved);
  const own = nodes.filter(({ raw }) => !raw.builtIn).map(resolved);
  return freeze({
    name: manifest.name?.value ?? defaults.serviceName,
    source,
    servicePrefix: manifest.servicePrefix?.value ?? "",
    authPrefix: manifest.authPrefix?.value ?? defaults.authPrefix,
    rateLimits,
    socialSignIn: manifest.socialProviders.length > 0,
    storage: resolveStorage(manifest.storage),
    monitoring: manifest.monitoring,
    models: [...own, ...builtIn],
    errors: errors.map(resolveError),
    mails: [...mails.mails],
    jobs: [...jobs.jobs],
    usesQueue: namesQueue || manifest.storage?.scope?.value === "user",
    graphqlHooks: hooksIn(hooks.get(graphqlHooks)),
    routes: routes.map((route) => resolveRoute(route, rateLimits.default)),
  });
}

function resolveError({ code, status, description }: RawError): ErrorDefinition {
  return { code: code.value, status, description };
}

/** It has passed the checks. */
function resolveRoute({ file, method, path, access, rateLimit }: RawRoute, limit: Limit): RouteDefinition {
  if (!isRouteMethod(method.value))
    throw new Error(`there is no method ${method.value}, yet it passed the checks`);
  return {
    file,
    method: method.value,
    path: path.value,
    access: access.roles.map(({ value }) => value),
    limit: resolveRouteLimit(rateLimit, limit),
  };
}

/** What all models share. */
interface Shared extends HookFiles {
  readonly names: ReadonlyMap<string, string>;
  readonly namer: ReturnType<typeof indexNamer>;
  readonly limit: Limit;
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
    idType: raw.idType,
    softDelete: raw.softDelete,
    internal: raw.internal,
    maxLimit: raw.maxLimit ?? defaults.maxLimit,
    fields: raw.fields.filter(hasColumn).map((field) => resolveField(graph, node, field)),
    relations: [...node.relations.values()],
    ...resolveKeys(node, namer),
    checks: resolveChecks(node, conditionScope(graph, node)),
    access: resolveAccess(node, conditionScope(graph, node)),
    limits: resolveLimits(raw.rateLimit, shared.limit),
    hooks: raw.builtIn ? hooksIn(hooks.get(authHooks)) : hooksIn(hooks.get(raw.key), said),
    filled: filledBy(said),
  };
}

function hooksIn(file: string | undefined, said?: RawHooks): HooksDefinition | null {
  return file === undefined ? null : { file, saysFills: said !== undefined && said.fills !== null };
}

/** A hook file that says what its before-hooks fill in says it of all of them. Without a hook nothing is filled in. */
function filledBy(said: RawHooks | undefined): ModelDefinition["filled"] {
  const of = (operation: Creation) => {
    const hook = `before_${operation}`;
    if (said === undefined) return [];
    if (said.fills === null) return said.exported.has(hook) ? null : [];
    const lists = said.fills.lists?.filter((list) => list.hook.value === hook) ?? [];
    return [...new Set(lists.flatMap(({ fields }) => fields.map(({ value }) => value)))];
  };
  return { create: of("create"), upsert: of("upsert") };
}

/** Freezes a tree of plain objects and arrays, and gives it back. */
function freeze<T>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const part of Object.values(value)) freeze(part);
  }
  return value;
}
