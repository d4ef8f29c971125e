import cors from "cors";
import type { RequestHandler } from "express";
import type { Config } from "../config/index.ts";
import { linearRegExp } from "../text/index.ts";
import { varyBy } from "./vary-by.ts";

type Settings = NonNullable<Config["cors"]>;

/**
 * Lets pages of other origins call, as the section `cors` says. A request without an origin is none of its business; but its
 * answer too says that others differ, or a cache would give it to a page (decisions, part 2).
 */
export function crossOrigin(settings: Settings): RequestHandler {
  const handle = cors(corsOptions(settings));
  return (request, response, next) => {
    varyBy(response, "Origin");
    if (request.headers.origin === undefined) return next();
    // It is answered here, as a preflight.
    if (request.method === "OPTIONS") request.context.isRecorded = false;
    handle(request, response, next);
  };
}

/** Whether pages of an origin can call with credentials. A wildcard allows none: browsers refuse that pair (docs/auth.md#cookie). */
export function credentialedOrigins(settings: Config["cors"]): (origin: string) => boolean {
  if (settings === null || settings.origins.includes("*")) return () => false;
  const { origins, allowOriginRegex } = settings;
  const pattern = allowOriginRegex === null ? null : linearRegExp(allowOriginRegex);
  return (origin) => origins.includes(origin) || (pattern?.matches(origin) ?? false);
}

function corsOptions(settings: Settings): cors.CorsOptions {
  const limits = ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"];
  const exposedHeaders = ["X-Request-Id", "Retry-After", ...limits];
  if (settings.origins.includes("*")) return { origin: "*", exposedHeaders };
  const isAllowed = credentialedOrigins(settings);
  return {
    exposedHeaders,
    credentials: true,
    origin: (origin, answer) => answer(null, origin !== undefined && isAllowed(origin)),
  };
}
