import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { Request, RequestHandler, Response } from "express";
import { methodNotAllowed, splitUrl } from "../../http/index.ts";
import { type DashboardFile, dashboardFiles } from "./dashboard-files.ts";

/** A file as it is sent. */
interface Loaded {
  readonly body: Buffer;
  readonly mediaType: string;
  readonly etag: string;
}

/**
 * The policy of the page: what it needs is its own, no text can become a script or HTML (`trusted-types`), and nobody frames it.
 * The bars of a chart are sized through the object model, which no policy of styles stops.
 */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

const headers: Readonly<Record<string, string>> = {
  // Kept by browsers, and asked for again: the names of files do not change with the version.
  "Cache-Control": "no-cache",
  "Content-Security-Policy": contentSecurityPolicy,
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  "X-Robots-Tag": "noindex",
};

/**
 * `GET /monitoring/dashboard` and its files, without a key: nothing that was recorded is in them (decisions, part 11). What is sent
 * stands in a table: no path of a request reaches the disk. `folder` holds the page compiled; default where the build puts it.
 */
export function dashboardRoute(folder = new URL("./page/", import.meta.url)): RequestHandler {
  const files = dashboardFiles(folder);
  const loaded = new Map<string, Loaded>();
  const load = async (path: string, file: DashboardFile): Promise<Loaded> => {
    const kept = loaded.get(path) ?? (await read(file));
    loaded.set(path, kept);
    return kept;
  };
  return async (request, response, next) => {
    const { path } = splitUrl(request.url);
    const file = files.get(path);
    if (file === undefined) return next();
    request.context.isRecorded = false;
    request.context.route = request.baseUrl + path;
    if (request.method !== "GET" && request.method !== "HEAD") throw methodNotAllowed(["GET", "HEAD"]);
    send(request, response, await load(path, file));
  };
}

async function read({ url, mediaType }: DashboardFile): Promise<Loaded> {
  const body = await readFile(url);
  return { body, mediaType, etag: `"${createHash("sha256").update(body).digest("base64url")}"` };
}

function send(request: Request, response: Response, { body, mediaType, etag }: Loaded): void {
  response.setHeaders(new Map(Object.entries({ ...headers, ETag: etag })));
  if (request.fresh) {
    response.statusCode = 304;
    response.end();
    return;
  }
  response.setHeader("Content-Type", mediaType);
  response.setHeader("Content-Length", body.byteLength);
  response.end(body);
}
