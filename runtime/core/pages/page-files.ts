import { readFile } from "node:fs/promises";
import { extname } from "node:path";
import type { RequestHandler } from "express";
import { type KeptContent, keptContent, methodNotAllowed, sendKept, splitUrl } from "../http/index.ts";

/** Returns the place of a file on the disk, or the HTML of a page. The first request for it calls this. */
export type PageFile = () => URL | string;

const contentTypes: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".graphql": "text/plain; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
};

const headers: Readonly<Record<string, string>> = {
  // Browsers revalidate: file names do not change with the version.
  "Cache-Control": "no-cache",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  "X-Robots-Tag": "noindex",
};

/** Serves the files of a page, by path. No request path reaches the disk, and monitoring does not record the requests. */
export function servePageFiles(
  files: ReadonlyMap<string, PageFile>,
  contentSecurityPolicy: readonly string[],
): RequestHandler {
  const sent = new Map(
    Object.entries({ ...headers, "Content-Security-Policy": contentSecurityPolicy.join("; ") }),
  );
  const loaded = new Map<string, KeptContent>();
  return async (request, response, next) => {
    const { path } = splitUrl(request.url);
    const file = files.get(path);
    if (file === undefined) return next();
    request.context.isRecorded = false;
    request.context.route = request.baseUrl + path;
    if (request.method !== "GET" && request.method !== "HEAD") throw methodNotAllowed(["GET", "HEAD"]);
    const kept = loaded.get(path) ?? (await load(file()));
    loaded.set(path, kept);
    response.setHeaders(sent);
    sendKept(request, response, kept);
  };
}

async function load(content: URL | string): Promise<KeptContent> {
  const type = typeof content === "string" ? ".html" : extname(content.pathname);
  const body = typeof content === "string" ? content : await readFile(content);
  return keptContent(body, contentTypes[type] ?? "application/octet-stream");
}
