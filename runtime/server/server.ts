import type { IncomingMessage } from "node:http";
import express from "express";
import type { Logger } from "pino";
import { fixedPaths, pathsCollide } from "../../vocabulary/built-in-routes.ts";
import { mayLieUnder, segmentsOf } from "../../vocabulary/custom-routes.ts";
import { ownRoutes } from "../api/custom-routes/index.ts";
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
  boundAnswers,
  crossOrigin,
  inOrder,
  type Lifecycle,
  onPaths,
  probes,
  refuseOverload,
  requestContext,
  requireHttp1,
  routeNotFound,
  securityHeaders,
} from "../core/http/index.ts";
import { PlanCache } from "../data/sql/index.ts";
import type { CodeModules } from "../hooks/context/index.ts";
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
import { callerReaders } from "./caller.ts";
import { codeModules } from "./code-modules.ts";
import { lateStorageOf } from "./late-storage.ts";
import { overviewRoute } from "./overview/index.ts";
import { overviewOf } from "./overview-of.ts";
import type { Service } from "./service.ts";

export interface ServerOptions {
  readonly config: Config;
  readonly database: Database;
  readonly log: Logger;
  readonly lifecycle?: Lifecycle;
  /** The Redis that processes share; default none. */
  readonly cache?: Cache | null;
  /** Default: as the manifest says. */
  readonly mailer?: Mailer | null;
  /** Default: as the manifest says. */
  readonly sms?: SmsSender | null;
  /** What goes on after an answer; whoever gives it waits for it (`drain()`) before the process ends. Default: nobody waits. */
  readonly background?: BackgroundTasks;
  /** Another way to the database, for the counters of rate limits: slow requests do not keep it busy. Default `database`. */
  readonly counting?: Database | null;
  /** Whoever gives it closes it. Default: as the manifest says; it lasts as long as the process, and captures no lines of the log. */
  readonly monitoring?: Monitoring | null;
  /** Whether `/` is a page that shows what the service has. Default: outside production. */
  readonly overview?: boolean;
  /** Whether what the service has no route for goes on to what stands after it. Default: 404. */
  readonly passUnknown?: boolean;
  /** The clock of accounts and rate limits in milliseconds; default the system's, and for limits that of their store. */
  readonly now?: () => number;
  /** The delay of the event loop in milliseconds. For tests; default that of the process. */
  readonly eventLoopDelayMs?: () => number;
  /** Where the hosts of social providers are found. For tests, which play the providers; default where they are. */
  readonly resolveProvider?: (url: URL) => URL;
}

/** The service as a plain Express application, with what routes need that stand beside it. */
export interface Server extends express.Express {
  /**
   * Who sends a request, to any route of the process: by the same credentials as for the service's own, a guest where there is none.
   * Errors: those of the credential, 401, 403 and 503.
   */
  principalOf(request: Pick<IncomingMessage, "headers" | "method">): Promise<Principal>;
  /** Answers each `ServiceError` of such routes in the envelope. What is none goes on. */
  readonly answerErrors: express.ErrorRequestHandler;
}

/** The service as a plain Express application, which anyone can mount, wrap or test. */
export function createServer(service: Service, options: ServerOptions): Server {
  const { config, log, lifecycle = { stopping: false }, monitoring = ownMonitoring(options) } = options;
  const { background = new BackgroundTasks(log), database, eventLoopDelayMs } = options;
  requireFreeSlug(service, config);
  const app = express();
  boundAnswers(app);
  addDocumentHeaders(app);
  app.disable("x-powered-by").disable("etag").set("query parser", false);
  app.enable("strict routing").enable("case sensitive routing");
  const graphqlPath = `${config.servicePrefix}/graphql`;
  const counters = counterStore(options);
  const limits = rateLimits(config, counters, log);
  const files = lateStorageOf(config, log);
  const hashPassword: AccountsFront["hashPassword"] = (password, share) =>
    accounts.hashPassword(password, share);
  const shared = complete(options, background);
  const modules = codeModules(service, { files, monitoring, hashPassword, ...shared });
  const accounts = createAccounts({ accounts: service.accounts, limits, modules, ...shared });
  const models = modelServices(service, options, { limits, modules, ...accounts });
  app.use(
    inOrder(
      requestContext(log, { recorder: monitoring?.requests, background }),
      securityHeaders(),
      // In front of all that may refuse the request, so that it holds for that too.
      onPaths([graphqlPath], chooseForm),
      ...(config.cors === null ? [] : [crossOrigin(config.cors)]),
      requireHttp1,
      probes(lifecycle, readinessChecks(options)),
      // After the probes, which a busy service answers too.
      refuseOverload({
        maxEventLoopDelayMs: config.server.maxEventLoopDelayMs,
        isDatabaseFull: () => database.isFull(),
        eventLoopDelayMs,
      }),
      // In front of what is asked for less often: no path of that is below a model's slug.
      modelRouter(service.models, { prefix: config.servicePrefix, ...models }),
      onPaths([graphqlPath], graphqlRoute({ hooks: service.graphql.hooks, ...models })),
    ),
  );
  app.use(config.authPrefix, accounts.router);
  app.use(fixedPaths.admin, rateLimitAdmin({ store: counters, callerOf: models.callerOf }));
  if (monitoring !== null)
    app.use(fixedPaths.monitoring, monitoring.router(monitored(service, options, limits)));
  if (files !== null && config.storage !== null) {
    const counters = storageCounters(config.storage.limits, limits);
    app.use(`/${config.storage.slug}`, files.router({ callerOf: models.callerOf, counters }));
  }
  if (service.routes.length > 0)
    app.use(config.servicePrefix || "/", ownRoutes(service.routes, { ...models, limits }));
  // After whatever an app has there itself.
  if (options.overview ?? !config.production) app.use(overviewRoute(overviewOf(service, config)));
  // Of what others answer nobody knows yet what it is.
  app.use(options.passUnknown === true ? securityHeaders({ isWhole: true }) : routeNotFound);
  app.use(answerError);
  return Object.assign(app, {
    principalOf: (request: Pick<IncomingMessage, "headers" | "method">) =>
      accounts.authenticator.principal(request),
    answerErrors: answerErrors(service.errors),
  });
}

/** The environment may set a slug that the generator has not seen. */
function requireFreeSlug(service: Service, { storage, servicePrefix }: Config): void {
  if (storage === null) return;
  const { slug } = storage;
  const model = service.models.find((each) =>
    pathsCollide(`/${slug}`, `${servicePrefix}/${each.model.slug}`),
  );
  const route = service.routes.find(({ path }) =>
    mayLieUnder(segmentsOf(`${servicePrefix}${path}`), segmentsOf(`/${slug}`)),
  );
  const other = model === undefined ? route?.path : `the model ${model.model.key}`;
  if (other !== undefined) throw new ConfigError([`storage.slug "${slug}" is in the way of ${other}`], []);
}

/** Null where the module is off. */
function ownMonitoring({ config, log }: ServerOptions): Monitoring | null {
  const { monitoring: settings } = config;
  return settings === null ? null : createMonitoring({ config, settings, log });
}

/** What monitoring is told of the service around it. */
function monitored(
  { models, routes, usesQueue }: Service,
  { database }: ServerOptions,
  { limiter }: RateLimits,
): MonitoredService {
  return {
    connections: () => database.connections(),
    uncounted: () => limiter?.uncounted ?? 0,
    ...(usesQueue && { jobs: figuresForMonitoring(database) }),
    models: models.map(({ model, routes }) => ({
      key: model.key,
      slug: model.slug,
      paths: [...routes.keys()],
    })),
    routes: routes.map(({ path }) => path),
  };
}

function complete(
  options: ServerOptions,
  background: BackgroundTasks,
): Omit<AccountsOptions, "accounts" | "limits" | "modules"> {
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

/** Redis where there is one, else the database (contract: "Rate limiting (CRUD and auth)", 3). */
function counterStore({ database, counting, cache = null, log, now }: ServerOptions): CounterStore {
  if (cache !== null) return new RedisWindow(cache.client, now ?? null);
  return new PostgresWindow({ database, counting: counting ?? database, log, now: now ?? null });
}

/** What the models share with other parts of the service. */
interface Shared extends Pick<AccountsFront, "authenticator" | "hashPassword"> {
  readonly limits: RateLimits;
  readonly modules: CodeModules;
}

/** What REST and GraphQL share: both lead to the same models, for the same callers. */
function modelServices(
  service: Service,
  { config, database, log }: ServerOptions,
  { limits, modules, authenticator, hashPassword }: Shared,
) {
  const registry = new ModelRegistry(service.models, service.internalModels);
  return {
    registry,
    limits: config.graphql,
    ...callerReaders(authenticator, limits.addressOf),
    counters: modelCounters(service.models, limits),
    bodyLimitBytes: config.server.bodyLimitBytes,
    services: {
      database,
      log,
      models: registry.models,
      plans: new PlanCache(),
      bulkLimit: config.server.bulkLimit,
      hashPassword,
      modules,
    },
  };
}
