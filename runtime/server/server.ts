import type { IncomingMessage } from "node:http";
import express from "express";
import type { Logger } from "pino";
import { fixedPaths, pathsCollide } from "../../vocabulary/built-in-routes.ts";
import { canBeUnder, segmentsOf } from "../../vocabulary/custom-routes.ts";
import { customRoutes } from "../api/custom-routes/index.ts";
import { chooseForm, graphqlRoute, ModelRegistry } from "../api/graphql/index.ts";
import { modelRouter } from "../api/rest/index.ts";
import type { Cache } from "../core/cache/index.ts";
import { BackgroundTasks } from "../core/concurrency/index.ts";
import { type Config, ConfigError } from "../core/config/index.ts";
import type { Database } from "../core/database/index.ts";
import {
  addDocumentHeaders,
  answerError,
  answerErrors,
  compose,
  crossOrigin,
  type Lifecycle,
  limitFinishedResponses,
  onPaths,
  probes,
  refuseOverload,
  requestContext,
  requestSpans,
  requireHttp1,
  routeNotFound,
  securityHeaders,
} from "../core/http/index.ts";
import type { CrudServices } from "../data/operations/index.ts";
import { PlanCache } from "../data/sql/index.ts";
import type { Principal } from "../models/access/index.ts";
import { type AccountsFront, type AccountsOptions, createAccounts } from "../modules/auth/index.ts";
import { figuresForMonitoring } from "../modules/jobs/index.ts";
import { createMailer, type Mailer, mailTemplatesOf } from "../modules/mail/index.ts";
import { createMonitoring, type MonitoredService, type Monitoring } from "../modules/monitoring/index.ts";
import {
  type CounterStore,
  modelCounters,
  PostgresWindow,
  type RateLimits,
  RedisWindow,
  rateLimitAdmin,
  rateLimits,
  storageCounters,
} from "../modules/rate-limit/index.ts";
import { createSmsSender, type SmsSender } from "../modules/sms/index.ts";
import { accountParts } from "./account-parts.ts";
import { appModules, cursorKeys } from "./app-modules.ts";
import { callerReaders } from "./caller.ts";
import { lazyStorageOf } from "./lazy-storage.ts";
import { servedDocs } from "./served-docs.ts";
import { servedMcp } from "./served-mcp.ts";
import type { Service } from "./service.ts";
import { overviewRoute, serviceOverview } from "./service-overview.ts";

export interface ServerOptions {
  readonly config: Config;
  readonly database: Database;
  readonly log: Logger;
  readonly lifecycle?: Lifecycle;
  /** Redis; default none. */
  readonly cache?: Cache | null;
  /** Default: as in the manifest. */
  readonly mailer?: Mailer | null;
  /** Default: as in the manifest. */
  readonly sms?: SmsSender | null;
  /**
   * Work after responses. The owner waits for it (`drain()`) before the process ends. Default: no one waits.
   */
  readonly background?: BackgroundTasks;
  /** A separate pool for rate limit counters, which slow requests do not block. Default `database`. */
  readonly counting?: Database | null;
  /** The owner closes it. Default: as in the manifest, without the capture of log lines. */
  readonly monitoring?: Monitoring | null;
  /** Whether `/` is the overview page. Default: outside production. */
  readonly overview?: boolean;
  /** Whether the 403 of a model route has the command that explains it. Default: outside production. */
  readonly explains?: boolean;
  /** Whether requests without a route go to the next handler. Default: 404. */
  readonly passUnknown?: boolean;
  /**
   * The clock of accounts and rate limits in milliseconds. Default: the system's, and for rate limits that of
   * their store.
   */
  readonly now?: () => number;
  /** For tests. Default: that of the process. */
  readonly eventLoopDelayMs?: () => number;
  /** Maps the URLs of social providers, for tests. */
  readonly resolveProvider?: (url: URL) => URL;
}

/** The service as an Express application, with functions for routes outside the service. */
export interface Server extends express.Express {
  /**
   * The caller of a request to any route of the process; a guest without a credential. Errors: those of the
   * credential, 401, 403 and 503.
   */
  principalOf(request: Pick<IncomingMessage, "headers" | "method">): Promise<Principal>;
  /** For other routes: sends a `ServiceError` in the envelope, and passes other errors on. */
  readonly answerErrors: express.ErrorRequestHandler;
}

/** The service as an Express application that can be mounted, wrapped or tested. */
export function createServer(service: Service, options: ServerOptions): Server {
  const { config, log, lifecycle = { stopping: false }, monitoring = ownMonitoring(options) } = options;
  const { background = new BackgroundTasks(log), database, eventLoopDelayMs } = options;
  requireFreeSlug(service, config);
  const app = express();
  limitFinishedResponses(app);
  addDocumentHeaders(app);
  app.disable("x-powered-by").disable("etag").set("query parser", false);
  app.enable("strict routing").enable("case sensitive routing");
  const graphqlPath = `${config.servicePrefix}/graphql`;
  const counters = counterStore(options);
  const limits = rateLimits(config, counters, log);
  const files = lazyStorageOf(config, log);
  const hashPassword: AccountsFront["hashPassword"] = (password, share) =>
    accounts.hashPassword(password, share);
  const shared = accountOptions(options, background);
  const modules = appModules(service, { files, monitoring, hashPassword, ...shared });
  const registry = new ModelRegistry(service.models, service.internalModels);
  const crud = crudServices(registry, options, { modules, hashPassword });
  const accounts = createAccounts({ ...accountParts(service), limits, modules, crud, ...shared });
  const models = modelServices(service, options, { registry, services: crud, limits, ...accounts });
  app.use(
    compose(
      requestContext(log, {
        recorder: monitoring?.requests,
        background,
        beginSpan: requestSpans(log, limits.addressOf),
      }),
      securityHeaders(),
      // Before everything that can reject the request, because the form applies to errors too.
      onPaths([graphqlPath], chooseForm),
      ...(config.cors === null ? [] : [crossOrigin(config.cors)]),
      requireHttp1,
      probes(lifecycle, readinessChecks(options)),
      // After the probes, which an overloaded service must serve too.
      refuseOverload({
        maxEventLoopDelayMs: config.server.maxEventLoopDelayMs,
        isDatabaseFull: () => database.isFull(),
        eventLoopDelayMs,
      }),
      // Before routes that are used less; none of them is below a model's slug.
      modelRouter(service.models, {
        prefix: config.servicePrefix,
        explains: options.explains ?? !config.production,
        ...models,
      }),
      onPaths([graphqlPath], graphqlRoute({ hooks: service.graphql.hooks, ...models })),
      ...servedMcp(service, config, { ...models, limits }),
    ),
  );
  app.use(config.authPrefix, accounts.router);
  app.use(fixedPaths.admin, accounts.adminRouter);
  app.use(fixedPaths.admin, rateLimitAdmin({ store: counters, callerOf: models.callerOf }));
  if (monitoring !== null)
    app.use(fixedPaths.monitoring, monitoring.router(monitored(service, options, { limits, accounts })));
  if (files !== null && config.storage !== null) {
    const counters = storageCounters(config.storage.limits, limits);
    app.use(`/${config.storage.slug}`, files.router({ callerOf: models.callerOf, counters }));
  }
  // Before the app's routes, which can have a pattern that matches files of a page.
  app.use(compose(...servedDocs(service, config, models.callerOf)));
  if (service.routes.length > 0)
    app.use(config.servicePrefix || "/", customRoutes(service.routes, { ...models, limits }));
  // After the app's routes, which can have the same path.
  if (options.overview ?? !config.production) app.use(overviewRoute(serviceOverview(service, config)));
  // The content type of other handlers' responses is unknown.
  app.use(options.passUnknown === true ? securityHeaders({ isWhole: true }) : routeNotFound);
  app.use(answerError);
  return Object.assign(app, {
    principalOf: (request: Pick<IncomingMessage, "headers" | "method">) =>
      accounts.authenticator.principal(request),
    answerErrors: answerErrors(service.errors),
  });
}

/** The environment can set a slug that the generator did not check. */
function requireFreeSlug(service: Service, { storage, servicePrefix, mcp }: Config): void {
  if (storage === null) return;
  const { slug } = storage;
  const model = service.models.find((each) =>
    pathsCollide(`/${slug}`, `${servicePrefix}/${each.model.slug}`),
  );
  const route = service.routes.find(({ path }) =>
    canBeUnder(segmentsOf(`${servicePrefix}${path}`), segmentsOf(`/${slug}`)),
  );
  const tools =
    mcp !== null && pathsCollide(`/${slug}`, `${servicePrefix}/mcp`) ? "the module mcp" : undefined;
  const other = model === undefined ? (route?.path ?? tools) : `the model ${model.model.key}`;
  if (other !== undefined) throw new ConfigError([`storage.slug "${slug}" conflicts with ${other}`], []);
}

/** Null if the module is off. */
function ownMonitoring({ config, log }: ServerOptions): Monitoring | null {
  const { monitoring: settings } = config;
  return settings === null ? null : createMonitoring({ config, settings, log });
}

function monitored(
  { models, routes, usesQueue }: Service,
  { database }: ServerOptions,
  { limits, accounts }: { readonly limits: RateLimits; readonly accounts: AccountsFront },
): MonitoredService {
  return {
    connections: () => database.connections(),
    uncounted: () => limits.limiter?.uncounted ?? 0,
    accountEvents: accounts.events,
    ...(usesQueue && { jobs: figuresForMonitoring(database) }),
    models: models.map(({ model, routes }) => ({
      key: model.key,
      slug: model.slug,
      paths: [...routes.keys()],
    })),
    routes: routes.map(({ path }) => path),
  };
}

function accountOptions(
  options: ServerOptions,
  background: BackgroundTasks,
): Omit<AccountsOptions, keyof ReturnType<typeof accountParts> | "limits" | "modules" | "crud"> {
  const { config, database, log, cache = null } = options;
  const { mailer = createMailer(config, log), sms = createSmsSender(config, log) } = options;
  const { now = Date.now, resolveProvider } = options;
  const templates = mailTemplatesOf(config);
  return { config, database, log, cache, mailer, sms, templates, background, now, resolveProvider };
}

function readinessChecks({ database, cache = null }: ServerOptions): Record<string, () => Promise<void>> {
  const checks = { database: () => database.ping() };
  return cache === null ? checks : { ...checks, cache: () => cache.ping() };
}

/** Redis if it is configured, else the database. */
function counterStore({ database, counting, cache = null, log, now }: ServerOptions): CounterStore {
  if (cache !== null) return new RedisWindow(cache.client, now ?? null);
  return new PostgresWindow({ database, counting: counting ?? database, log, now: now ?? null });
}

/** The services of all operations on models. */
function crudServices(
  { models }: ModelRegistry,
  { config, database, log }: ServerOptions,
  { modules, hashPassword }: Pick<CrudServices, "modules" | "hashPassword">,
): CrudServices {
  return {
    database,
    log,
    models,
    plans: new PlanCache(),
    cursorKeys: cursorKeys(config),
    bulkLimit: config.server.bulkLimit,
    hashPassword,
    modules,
  };
}

interface Shared extends Pick<AccountsFront, "authenticator"> {
  readonly registry: ModelRegistry;
  readonly services: CrudServices;
  readonly limits: RateLimits;
}

/** The models and callers, shared by REST and GraphQL. */
function modelServices(
  service: Service,
  { config }: ServerOptions,
  { registry, services, limits, authenticator }: Shared,
) {
  return {
    registry,
    services,
    limits: config.graphql,
    ...callerReaders(authenticator, limits.addressOf),
    counters: modelCounters(service.models, limits),
    bodyLimitBytes: config.server.bodyLimitBytes,
  };
}
