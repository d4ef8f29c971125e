import { accountFeatures, isServed } from "../../../vocabulary/account-features.ts";
import {
  type AccountCounter,
  accountRoutes,
  adminRoutes,
  type BuiltInRoute,
  fixedPaths,
  healthRoutes,
  localFilesRoute,
  monitoringRoutes,
  resumableRoutes,
  storageRoutes,
  userRoutes,
} from "../../../vocabulary/built-in-routes.ts";
import { modelOperations, operationMethods } from "../../../vocabulary/operations.ts";
import {
  accountCounterKey,
  type Limit,
  operationCounterKey,
  operationName,
  routeCounterName,
  storageOperationName,
} from "../../../vocabulary/rate-limits.ts";
import type {
  LimitDefinition,
  ModelDefinition,
  RateLimitsDefinition,
  RouteDefinition,
  ServiceDefinition,
} from "../../definition/definition.ts";
import { escapeInvisible } from "../literal.ts";
import { hasRoutes } from "./operations-view.ts";

/** The view of `templates/rate-limits.hbs`: one line for the limit of each route. */
export interface RateLimitsView {
  readonly imports: null;
  readonly lines: readonly string[];
}

/** Columns have fixed widths. A longer text shifts only its own line, so that the diff stays small. */
const widths = { method: 6, path: 36, counter: 50, limit: 18 };

interface Line {
  readonly method: string;
  readonly path: string;
  /** Pattern of the counter's key. */
  readonly counter: string;
  readonly limit: string;
  /** The file and key that set the limit. */
  readonly origin: string;
}

const uncounted = "-";
const unlimited = "unlimited";

/** The view of `rate-limits.txt`. */
export function rateLimitsView(definition: ServiceDefinition): RateLimitsView {
  const models = definition.models.filter(hasRoutes).sort((a, b) => (a.key < b.key ? -1 : 1));
  const lines = [
    ...models.flatMap((model) => modelLines(model, definition)),
    ...definition.routes.map((route) => routeLine(route, definition)),
    graphqlLine(definition),
    ...accountRoutes
      .filter((route) => isServed(route, accountFeatures(definition)))
      .flatMap((route) => accountLines(route, definition)),
    ...storageLines(definition),
    ...monitoringLines(definition),
    ...userRoutes
      .filter((route) => isServed(route, accountFeatures(definition)))
      .map(({ method, path }) => unlimitedLine(method, path)),
    ...[...adminRoutes, ...healthRoutes].map(({ method, path }) => unlimitedLine(method, path)),
  ];
  const { enabled } = definition.rateLimits;
  const shown = enabled ? lines : lines.map((line) => switchedOff(line, definition.rateLimits));
  return { imports: null, lines: [...new Set(shown.map(print))] };
}

function modelLines(model: ModelDefinition, { servicePrefix, rateLimits }: ServiceDefinition): Line[] {
  return modelOperations(model).map((operation) => {
    const { origin, limit } = model.limits[operation];
    return {
      method: operationMethods[operation],
      path: `${servicePrefix}/${model.slug}/${operation}`,
      ...counted(limit, operationName(model.key, operation)),
      origin:
        origin === "manifest"
          ? defaultOrigin(rateLimits)
          : blockOrigin(`${escapeInvisible(model.source)}: ${model.key}.rate_limit`, operation, origin),
    };
  });
}

function routeLine(
  { file, method, path, limit: { limit, origin } }: RouteDefinition,
  { servicePrefix, rateLimits }: ServiceDefinition,
): Line {
  return {
    method,
    path: `${servicePrefix}${path}`,
    ...counted(limit, routeCounterName(method, path)),
    origin: origin === "manifest" ? defaultOrigin(rateLimits) : `${escapeInvisible(file)}: rate_limit`,
  };
}

/** Only entries of `storage` limit the storage module, not the defaults. */
function storageLines({ storage, rateLimits }: ServiceDefinition): Line[] {
  if (storage === null) return [];
  const routes = [
    ...storageRoutes,
    ...(storage.resumable ? resumableRoutes : []),
    ...(storage.servesFiles ? [localFilesRoute] : []),
  ];
  return routes.map(({ method, path, operation }) => {
    if (operation === null) return unlimitedLine(method, `/${storage.slug}${path}`);
    const { origin, limit } = storage.limits[operation];
    return {
      method,
      path: `/${storage.slug}${path}`,
      ...counted(limit, storageOperationName(operation)),
      origin:
        origin === "manifest"
          ? "default"
          : blockOrigin(`${escapeInvisible(rateLimits.source)}: storage.rate_limit`, operation, origin),
    };
  });
}

/** Requests with the ingestion key are not limited. */
function monitoringLines({ monitoring }: ServiceDefinition): Line[] {
  if (!monitoring) return [];
  return monitoringRoutes.map(({ method, path }) => unlimitedLine(method, fixedPaths.monitoring + path));
}

function counted(limit: LimitDefinition["limit"], name: string): Pick<Line, "counter" | "limit"> {
  if (limit === null) return { counter: uncounted, limit: unlimited };
  return { counter: operationCounterKey(name, limit.per, callerPlaceholders), limit: limitText(limit) };
}

/** The placeholders for callers in the patterns of keys. */
const callerPlaceholders = { address: "<ip>", user: "<user_id>" };

function blockOrigin(block: string, operation: string, origin: LimitDefinition["origin"]): string {
  const entries = { entry: `.${operation}`, default: ".default", model: "", manifest: "" };
  return `${block}${entries[origin]}`;
}

/** Default limits are not in a file of the app, so they have no position. */
function defaultOrigin({ source, declared }: RateLimitsDefinition): string {
  const keys = declared.map((key) => `rate_limit.${key}`);
  return keys.length === 0 ? "default" : `${escapeInvisible(source)}: ${keys.join(", ")}`;
}

function graphqlLine({ servicePrefix }: ServiceDefinition): Line {
  return {
    method: "POST",
    path: `${servicePrefix}/graphql`,
    counter: "of the operation that each root field runs",
    limit: "as above",
    origin: "aggregates count as search",
  };
}

function accountLines({ method, path, counters }: BuiltInRoute, definition: ServiceDefinition): Line[] {
  const { authPrefix, rateLimits } = definition;
  if (counters.length === 0) return [unlimitedLine(method, `${authPrefix}${path}`)];
  return counters.map((counter) => ({
    method,
    path: `${authPrefix}${path}`,
    counter: accountCounterKey(path, counter, `<${placeholders[counter]}>`),
    limit: limitText(rateLimits.default),
    origin: defaultOrigin(rateLimits),
  }));
}

const placeholders: Readonly<Record<AccountCounter, string>> = {
  ip: "ip",
  user: "user_id",
  email: "e-mail",
  phone: "phone",
};

/** A route that no setting limits. */
function unlimitedLine(method: string, path: string): Line {
  return { method, path, counter: uncounted, limit: unlimited, origin: "built in" };
}

function switchedOff(line: Line, { source }: RateLimitsDefinition): Line {
  const origin = `${escapeInvisible(source)}: rate_limit.enabled`;
  return { ...line, counter: uncounted, limit: unlimited, origin };
}

function limitText({ maxRequests, windowSeconds }: Limit): string {
  return `${maxRequests} in ${windowSeconds} s`;
}

function print({ method, path, counter, limit, origin }: Line): string {
  const columns = [
    `${method.padEnd(widths.method)} ${path.padEnd(widths.path)}`,
    counter.padEnd(widths.counter),
    limit.padEnd(widths.limit),
  ];
  return [...columns, origin].join("  ");
}
