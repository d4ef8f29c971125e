import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import type { Request, RequestHandler, Response } from "express";
import { methodNotAllowed, splitUrl } from "../../../core/http/index.ts";

const mediaTypes = {
  html: "text/html; charset=utf-8",
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  svg: "image/svg+xml",
};

interface DashboardFile {
  readonly url: URL;
  readonly mediaType: string;
}

const pageFile = (path: string, kind: keyof typeof mediaTypes) => ({
  url: new URL(`page/${path}`, import.meta.url),
  mediaType: mediaTypes[kind],
});

/** A file of an installed package. `sibling` names another file in the same folder. */
const packageFile = (path: string, kind: keyof typeof mediaTypes, sibling = "") => ({
  url: new URL(sibling, pathToFileURL(createRequire(import.meta.url).resolve(path))),
  mediaType: mediaTypes[kind],
});

const modules = [
  ...["address", "ai", "api", "app", "board", "chart", "details", "html", "poller", "requests", "store"],
  ...["table", "texts"],
];

/** All files of the dashboard, by path below `/monitoring`. No request path reaches the disk. */
export const dashboardFiles = (): ReadonlyMap<string, DashboardFile> =>
  new Map([
    ["/dashboard", pageFile("dashboard.html", "html")],
    ["/dashboard/dashboard.css", pageFile("dashboard.css", "css")],
    ["/dashboard/icon.svg", pageFile("icon.svg", "svg")],
    ["/dashboard/packages/htm.js", packageFile("htm", "js", "htm.mjs")],
    ["/dashboard/packages/preact.js", packageFile("preact", "js")],
    ["/dashboard/packages/uplot.css", packageFile("uplot/dist/uPlot.min.css", "css")],
    ["/dashboard/packages/uplot.js", packageFile("uplot/dist/uPlot.esm.js", "js")],
    ...modules.map((name) => [`/dashboard/${name}.js`, pageFile(`${name}.js`, "js")] as const),
  ]);

/** The page loads only its own files, text cannot become HTML or script, and no site can frame it. */
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
  // Browsers revalidate: file names do not change with the version.
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

/** `GET /monitoring/dashboard` and its files. They need no key, because they contain no recorded data. */
export function dashboardRoute(): RequestHandler {
  const files = dashboardFiles();
  const loaded = new Map<string, Loaded>();
  return async (request, response, next) => {
    const { path } = splitUrl(request.url);
    const file = files.get(path);
    if (file === undefined) return next();
    request.context.isRecorded = false;
    request.context.route = request.baseUrl + path;
    if (request.method !== "GET" && request.method !== "HEAD") throw methodNotAllowed(["GET", "HEAD"]);
    const kept = loaded.get(path) ?? (await load(file));
    loaded.set(path, kept);
    send(request, response, kept);
  };
}

interface Loaded {
  readonly body: Buffer;
  readonly etag: string;
  readonly mediaType: string;
}

async function load({ url, mediaType }: DashboardFile): Promise<Loaded> {
  const body = await readFile(url);
  return { body, etag: `"${createHash("sha256").update(body).digest("base64url")}"`, mediaType };
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
