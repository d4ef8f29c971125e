import cors from "cors";
import express from "express";
import type { Logger } from "pino";
import { RE2JS } from "re2js";
import { AccessTokens, authenticator, passwordHasher } from "./auth/index.ts";
import type { Config } from "./config/index.ts";
import { modelRouter, PlanCache } from "./crud/index.ts";
import type { Database } from "./database/index.ts";
import { answerError, getOnly, routeNotFound } from "./http/handlers.ts";
import { healthz, type Lifecycle, readyz } from "./http/health.ts";
import { requestContext } from "./http/request-context.ts";
import { securityHeaders } from "./http/security-headers.ts";
import type { Service } from "./service.ts";

export interface ServerOptions {
  readonly config: Config;
  readonly database: Database;
  readonly log: Logger;
  readonly lifecycle?: Lifecycle;
}

/** The service as a plain Express application, which anyone can mount, wrap or test. */
export function createServer(service: Service, options: ServerOptions): express.Express {
  const { config, database, log, lifecycle = { stopping: false } } = options;
  const app = express();
  app.disable("x-powered-by").disable("etag").set("query parser", false);
  app.enable("strict routing").enable("case sensitive routing");
  app.use(requestContext(log), securityHeaders());
  if (config.cors !== null) app.use(crossOrigin(config.cors));
  app.route("/healthz").get(healthz).all(getOnly);
  app
    .route("/readyz")
    .get(readyz(lifecycle, { database: () => database.ping() }))
    .all(getOnly);
  app.use(config.servicePrefix || "/", crudRouter(service, config, database, log));
  app.use(routeNotFound, answerError);
  return app;
}

function crudRouter(
  service: Service,
  config: Config,
  database: Database,
  log: Logger,
): express.RequestHandler {
  const models = [...service.models, ...service.internalModels].map(({ model }) => model);
  return modelRouter(service.models, {
    authenticate: authenticator(new AccessTokens(config.secrets.jwt), config.auth.cookieName),
    bodyLimitBytes: config.server.bodyLimitBytes,
    services: {
      database,
      log,
      models: new Map(models.map((model) => [model.key, model])),
      plans: new PlanCache(),
      bulkLimit: config.server.bulkLimit,
      hashPassword: passwordHasher(config.auth.bcryptCost),
    },
  });
}

/** A request without an origin is none of CORS's business. */
function crossOrigin(settings: NonNullable<Config["cors"]>): express.RequestHandler {
  const handle = cors(corsOptions(settings));
  return (request, response, next) => {
    if (request.headers.origin === undefined) next();
    else handle(request, response, next);
  };
}

/** With a wildcard no credentials are allowed: browsers would refuse the pair (contract: "Auth cookie"). */
function corsOptions({ origins, allowOriginRegex }: NonNullable<Config["cors"]>): cors.CorsOptions {
  const exposedHeaders = ["X-Request-Id", "Retry-After"];
  if (origins.includes("*")) return { origin: "*", exposedHeaders };
  const pattern = allowOriginRegex === null ? null : RE2JS.compile(allowOriginRegex);
  return {
    exposedHeaders,
    credentials: true,
    origin: (origin, answer) => {
      const allowed =
        origin !== undefined && (origins.includes(origin) || (pattern?.matches(origin) ?? false));
      answer(null, allowed);
    },
  };
}
