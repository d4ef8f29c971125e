import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

/** A file of the dashboard: where it lies, and what it is. */
export interface DashboardFile {
  readonly url: URL;
  readonly mediaType: string;
}

/** Modules of the page, below its folder. A module that is missing here is not served: a test compares. */
const modules = [
  "app",
  "board",
  "dom",
  "key-form",
  "live/board-address",
  "live/api-client",
  "live/poller",
  "live/time-spans",
  "panels/ai-groups",
  "panels/ai-run-details",
  "panels/ai-tiles",
  "panels/duration-columns",
  "panels/latency-bars",
  "panels/mcp-calls-table",
  "panels/mcp-tools-table",
  "panels/recent-requests",
  "panels/recent-runs",
  "panels/routes-table",
  "panels/run-costs-chart",
  "panels/store-state",
  "panels/summary-tiles",
  "panels/trace-details",
  "panels/traffic-charts",
  "status-line",
  "text/number-texts",
  "text/time-texts",
  "views/ai-view",
  "views/mcp-view",
  "views/requests-view",
  "views/store-view",
  "views/view",
  "widgets/chart-options",
  "widgets/choice",
  "widgets/data-table",
  "widgets/drawer",
  "widgets/facts",
  "widgets/keyed-rows",
  "widgets/stat-tiles",
  "widgets/tabs",
  "widgets/time-chart",
  "widgets/tone",
  "widgets/waterfall",
];

const mediaTypes = {
  html: "text/html; charset=utf-8",
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  svg: "image/svg+xml",
};

/** All that the dashboard consists of, by its path below `/monitoring`. `folder` holds the page compiled. */
export function dashboardFiles(folder: URL): ReadonlyMap<string, DashboardFile> {
  const file = (url: URL, kind: keyof typeof mediaTypes) => ({ url, mediaType: mediaTypes[kind] });
  const own = (path: string, kind: keyof typeof mediaTypes) => file(new URL(path, folder), kind);
  return new Map([
    ["/dashboard", own("dashboard.html", "html")],
    ["/dashboard/dashboard.css", own("dashboard.css", "css")],
    ["/dashboard/icon.svg", own("icon.svg", "svg")],
    ["/dashboard/widgets/uplot.css", file(ofPackage("uplot/dist/uPlot.min.css"), "css")],
    ["/dashboard/widgets/uplot.js", file(ofPackage("uplot/dist/uPlot.esm.js"), "js")],
    ...modules.map((name) => [`/dashboard/${name}.js`, own(`${name}.js`, "js")] as const),
  ]);
}

/** A file of an installed package. */
function ofPackage(path: string): URL {
  return pathToFileURL(createRequire(import.meta.url).resolve(path));
}
