import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import type { RequestHandler } from "express";
import { openApiPath } from "../../../vocabulary/openapi/document-paths.ts";
import { escaped, type PageFile, servePageFiles } from "../../core/pages/index.ts";
import { packagedFiles, packagedFolder } from "./packaged-files.ts";

const { resolve } = createRequire(import.meta.url);

/** In the package, the build has copied it. In this repository, npm has installed it. */
const packaged = (name: keyof typeof packagedFiles) => () => {
  const copied = new URL(`${packagedFolder}/${name}`, import.meta.url);
  const [from, path] = packagedFiles[name];
  return existsSync(copied) ? copied : new URL(path, pathToFileURL(resolve(`${from}/package.json`)));
};

const script = (name: string) => () => new URL(`page/${name}.js`, import.meta.url);

/** The pages load only files of the service, and no site can frame them. */
const policyWith = (...styles: readonly string[]) => [
  "default-src 'none'",
  "script-src 'self'",
  ...styles,
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
];

interface Html {
  readonly title: string;
  readonly style: string;
  readonly scripts: readonly string[];
  /** The last script. */
  readonly start: string;
  /** For the last script, by name. */
  readonly data: Readonly<Record<string, string>>;
}

function html({ title, style, scripts, start, data }: Html): string {
  const attributes = Object.entries(data).map(([name, value]) => ` data-${name}="${escaped(value)}"`);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escaped(title)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${style}">
${scripts.map((source) => `<script defer src="${source}"></script>\n`).join("")}<script type="module" src="${start}"></script>
</head>
<body>
<noscript>This page needs JavaScript.</noscript>
<div id="page"${attributes.join("")}></div>
</body>
</html>
`;
}

/** A relative URL, which works below any mount path. */
function relativeUrl(from: string, to: string): string {
  return `${"../".repeat(from.split("/").length - 2)}${to.slice(1)}`;
}

/** The page of the OpenAPI document, and its files below it. */
export function referencePage(path: string, name: string, scope: "all" | "caller"): RequestHandler {
  const below = path.slice(path.lastIndexOf("/") + 1);
  const page = html({
    title: `${name}: API reference`,
    style: `${below}/swagger-ui.css`,
    scripts: [`${below}/swagger-ui-bundle.js`],
    start: `${below}/reference.js`,
    data: { document: relativeUrl(path, openApiPath), scope },
  });
  const files = new Map<string, PageFile>([
    [path, () => page],
    [`${path}/swagger-ui.css`, packaged("swagger-ui.css")],
    [`${path}/swagger-ui-bundle.js`, packaged("swagger-ui-bundle.js")],
    [`${path}/reference.js`, script("reference")],
  ]);
  return servePageFiles(files, policyWith("style-src 'self'"));
}

/** GraphiQL at a path, and its files next to it. `folder` has the generated schema. */
export function graphiqlPage(path: string, name: string, endpoint: string, folder: URL): RequestHandler {
  const page = html({
    title: `${name}: GraphiQL`,
    style: "graphiql.css",
    scripts: ["react.js", "react-dom.js", "graphiql.js"],
    start: "start-graphiql.js",
    data: { endpoint: relativeUrl(path, endpoint) },
  });
  const at = path.slice(0, path.lastIndexOf("/"));
  const files = new Map<string, PageFile>([
    [path, () => page],
    [`${at}/schema.graphql`, () => new URL("graphql/schema.graphql", folder)],
    [`${at}/start-graphiql.js`, script("start-graphiql")],
    ...(["graphiql.css", "graphiql.js", "react.js", "react-dom.js"] as const).map(
      (file): [string, PageFile] => [`${at}/${file}`, packaged(file)],
    ),
  ]);
  // GraphiQL adds styles, and its style sheet has its fonts.
  const policy = policyWith("style-src 'self' 'unsafe-inline'", "font-src 'self' data:");
  return servePageFiles(files, policy);
}
