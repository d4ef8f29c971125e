import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import type { RequestHandler } from "express";
import { type PageFile, servePageFiles } from "../../../core/pages/index.ts";

const { resolve } = createRequire(import.meta.url);

const pageFile = (path: string) => () => new URL(`page/${path}`, import.meta.url);

/** A file of an installed package. `sibling` names another file in the same folder. */
const packageFile =
  (path: string, sibling = "") =>
  () =>
    new URL(sibling, pathToFileURL(resolve(path)));

const modules = [
  ...["address", "ai", "api", "app", "board", "chart", "details", "html", "poller", "requests", "store"],
  ...["table", "texts"],
];

/** All files of the dashboard, by path below `/monitoring`. */
export const dashboardFiles = (): ReadonlyMap<string, PageFile> =>
  new Map([
    ["/dashboard", pageFile("dashboard.html")],
    ["/dashboard/dashboard.css", pageFile("dashboard.css")],
    ["/dashboard/icon.svg", pageFile("icon.svg")],
    ["/dashboard/packages/htm.js", packageFile("htm", "htm.mjs")],
    ["/dashboard/packages/preact.js", packageFile("preact")],
    ["/dashboard/packages/uplot.css", packageFile("uplot/dist/uPlot.min.css")],
    ["/dashboard/packages/uplot.js", packageFile("uplot/dist/uPlot.esm.js")],
    ...modules.map((name) => [`/dashboard/${name}.js`, pageFile(`${name}.js`)] as const),
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
];

/** `GET /monitoring/dashboard` and its files. They need no key, because they contain no recorded data. */
export function dashboardRoute(): RequestHandler {
  return servePageFiles(dashboardFiles(), contentSecurityPolicy);
}
