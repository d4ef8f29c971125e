import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import cors from "cors";
import type { Express, RequestHandler } from "express";
import helmet from "helmet";
import type { Config } from "../config/index.ts";
import { ServiceError } from "../errors/index.ts";
import { linearRegExp } from "../text/index.ts";
import { varyBy } from "./answer.ts";

/**
 * What a browser goes by where an answer is JSON: it never takes it for something else (`nosniff`), shows it in no frame, and asks the host by
 * https from then on. The others are about documents, but `Cross-Origin-Resource-Policy`, which is `cross-origin` here: it only says that
 * pages of other origins may embed a file.
 */
const forJson: ReadonlySet<string> = new Set([
  "content-security-policy",
  "strict-transport-security",
  "x-content-type-options",
]);

const json = /^application\/(?:[\w.-]+\+)?json\b/;

const all = Object.entries(helmetHeaders());
const others = all.filter(([name]) => !forJson.has(name));
const first = all.filter(([name]) => forJson.has(name));

/** Sets the headers of helmet that stand on each answer; with `isWhole` those too that `addDocumentHeaders` would leave to the end. */
export function securityHeaders({ isWhole = false } = {}): RequestHandler {
  const headers = isWhole ? all : first;
  return (_request, response, next) => {
    for (const [name, value] of headers) response.setHeader(name, value);
    next();
  };
}

/** Adds the other headers of helmet to whatever an application answers that is no JSON, where they are not set already. */
export function addDocumentHeaders(app: Express): void {
  // On what all responses of an application inherit from: a property of each would cost more than the headers.
  Object.defineProperty(app.response, "writeHead", { value: writeHead, writable: true });
}

/** Takes `(status, headers)`, `(status, message)` or `(status, message, headers)`. */
function writeHead<R extends ServerResponse>(this: R, ...parameters: unknown[]): R {
  const [, message, headers] = parameters;
  const type = typeAmong(headers ?? message) ?? this.getHeader("Content-Type");
  if (!json.test(String(type))) addOthers(this);
  Reflect.apply(ServerResponse.prototype.writeHead, this, parameters);
  return this;
}

/** The content type among headers that are given as an object, or as names and values in turn: it counts before one that is set. */
function typeAmong(headers: unknown): unknown {
  if (typeof headers !== "object" || headers === null) return undefined;
  const words: readonly unknown[] = Array.isArray(headers) ? headers : Object.entries(headers).flat();
  const at = words.findLastIndex((word, i) => i % 2 === 0 && /^content-type$/i.test(String(word)));
  return at === -1 ? undefined : words[at + 1];
}

function addOthers(response: ServerResponse): void {
  for (const [name, value] of others) if (!response.hasHeader(name)) response.setHeader(name, value);
}

function helmetHeaders(): Record<string, string> {
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);
  const protect = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    },
    crossOriginResourcePolicy: { policy: "cross-origin" },
  });
  protect(request, response, () => {});
  return Object.fromEntries(
    Object.entries(response.getHeaders()).map(([name, value]) => [name, String(value)]),
  );
}

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

/** `host [":" port]`; a target without an authority has an empty one. A header that stands twice is joined by `, `. */
const host = /^(?:\[[\da-f:.]+\]|[\w.~%!$&'()*+,;=-]*)(?::\d*)?$/i;

/**
 * Refuses what a server of HTTP/1.1 must refuse and node:http lets pass, or answers without the envelope: no version, no
 * `Host`, two of them, or one that names no host (RFC 9112, 2.3 and 3.2). Error: 400.
 */
export const requireHttp1: RequestHandler = (request, _response, next) => {
  const { headers, httpVersion } = request;
  if (httpVersion === "0.9") throw refuse("The request names no version of HTTP.");
  if (headers.host === undefined ? httpVersion === "1.1" : !host.test(headers.host))
    throw refuse("The Host header must stand once, and name a host.");
  next();
};

function refuse(message: string): ServiceError {
  return new ServiceError("VALIDATION_ERROR", message);
}
