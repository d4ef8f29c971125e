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
 * Headers that matter for JSON responses: no type guessing, no frames, https only. The others are about
 * documents. `Cross-Origin-Resource-Policy` is `cross-origin`, so that other origins can embed files.
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

/** Sets the headers of helmet for JSON; with `isWhole` all of them. */
export function securityHeaders({ isWhole = false } = {}): RequestHandler {
  const headers = isWhole ? all : first;
  return (_request, response, next) => {
    for (const [name, value] of headers) response.setHeader(name, value);
    next();
  };
}

/** Adds the other headers of helmet to responses that are not JSON, unless they are set. */
export function addDocumentHeaders(app: Express): void {
  // On the prototype, because a property of each response would cost more than the headers.
  Object.defineProperty(app.response, "writeHead", { value: writeHead, writable: true });
}

/** Accepts `(status, headers)`, `(status, message)` or `(status, message, headers)`. */
function writeHead<R extends ServerResponse>(this: R, ...parameters: unknown[]): R {
  const [, message, headers] = parameters;
  const type = typeAmong(headers ?? message) ?? this.getHeader("Content-Type");
  if (!json.test(String(type))) addOthers(this);
  Reflect.apply(ServerResponse.prototype.writeHead, this, parameters);
  return this;
}

/** The content type in an object or a flat list of headers. It overrides one that is set. */
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
 * Applies the section `cors`. Responses to requests without an origin vary by it too, because a cache could
 * send them to a page.
 */
export function crossOrigin(settings: Settings): RequestHandler {
  const handle = cors(corsOptions(settings));
  return (request, response, next) => {
    varyBy(response, "Origin");
    if (request.headers.origin === undefined) return next();
    // A preflight ends here.
    if (request.method === "OPTIONS") request.context.isRecorded = false;
    handle(request, response, next);
  };
}

/**
 * Whether pages of an origin can call with credentials. Not with a wildcard: browsers reject the combination
 * (docs/credentials.md).
 */
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

/** `host [":" port]`; empty for a target without an authority. A repeated header is joined by `, `. */
const host = /^(?:\[[\da-f:.]+\]|[\w.~%!$&'()*+,;=-]*)(?::\d*)?$/i;

/**
 * Rejects with 400 a request without an HTTP version, or without exactly one valid `Host` (RFC 9112, 2.3 and
 * 3.2). node:http accepts such requests, or rejects them without the error envelope.
 */
export const requireHttp1: RequestHandler = (request, _response, next) => {
  const { headers, httpVersion } = request;
  if (httpVersion === "0.9") throw refuse("The request has no HTTP version.");
  if (headers.host === undefined ? httpVersion === "1.1" : !host.test(headers.host))
    throw refuse("The Host header must be present once and name a host.");
  next();
};

function refuse(message: string): ServiceError {
  return new ServiceError("VALIDATION_ERROR", message);
}
