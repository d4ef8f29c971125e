import type { Request, RequestHandler } from "express";
import {
  administratorRoles,
  coversRole,
  everyRole,
  guestRole,
  registeredRole,
  signedInRole,
} from "../../vocabulary/accounts/role-names.ts";
import { fixedPaths, signInPath } from "../../vocabulary/built-in-routes.ts";
import { type Operation, operations } from "../../vocabulary/operations.ts";
import type { Config } from "../core/config/index.ts";
import { methodNotAllowed, splitUrl } from "../core/http/index.ts";
import { escaped, type Page, page, sendPage } from "../core/pages/index.ts";
import type { OperationPolicy, Policy, Rule } from "../models/access/index.ts";
import type { Model } from "../models/index.ts";
import { docsPaths } from "./served-docs.ts";
import type { Service } from "./service.ts";

interface ShownPlace {
  readonly path: string;
  /** A short description. */
  readonly what: string;
  /** Whether a browser can open it. */
  readonly isPage: boolean;
}

/** Paths are below the mount path, with a leading slash. */
interface ShownService {
  readonly name: string;
  readonly baseUrl: string;
  readonly servicePrefix: string;
  readonly models: readonly ShownModel[];
  readonly routes: readonly ShownCustomRoute[];
  readonly signInPath: string;
  readonly places: readonly ShownPlace[];
}

const style = `
main { max-width: 60rem; }
h3 { margin: 1.5rem 0 0.25rem; font-size: 1rem; }
pre { overflow-x: auto; padding: 0.75rem; border: 1px solid var(--line); border-radius: 0.375rem; }
table { width: 100%; border-collapse: collapse; table-layout: fixed; }
th, td { padding: 0.25rem 1rem 0.25rem 0; text-align: left; vertical-align: top; overflow-wrap: anywhere; }
th { color: var(--soft); font-size: 0.875rem; font-weight: 400; }
`;

/** Builds the page. `address` is the URL of the service. */
export function overviewPage(service: ShownService, address: string): Page {
  const { name, models, routes, servicePrefix, places } = service;
  const sections = [
    `<h1>${escaped(name)}</h1>
<p>The service is up. This page exists only in development: with <code>NODE_ENV=production</code> it is 404.</p>`,
    tokenSection(service, address),
    "<h2>Models</h2>",
    models.length === 0 ? "<p>No model has routes yet.</p>" : "",
    ...models.map((model) => modelSection(model, servicePrefix)),
    customRoutesSection(routes, servicePrefix),
    rolesSection(models, routes),
    `<h2>Other addresses</h2>\n<ul>\n${places.map(place).join("\n")}\n</ul>`,
    "<p>See also <code>README.md</code> and <code>docs/</code> of the project.</p>",
  ];
  return page({ title: name, main: `${sections.filter((text) => text !== "").join("\n")}\n`, style });
}

function tokenSection({ servicePrefix, models, signInPath }: ShownService, base: string): string {
  const [slug = "…"] = models.map(({ model }) => model.slug);
  const address = `${base}${servicePrefix}/${slug}/fetch`;
  return `<h2>Get a token</h2>
<p><a href="${relativeLink(signInPath)}">Register or sign in</a> in the browser. In a terminal <code>npm run token</code> prints one for any role, without an account:</p>
<pre><code>TOKEN=$(npm run --silent token -- --role admin)
curl -H "Authorization: Bearer $TOKEN" ${escaped(address)}</code></pre>`;
}

function place({ path, what, isPage }: ShownPlace): string {
  const shown = `<code>${escaped(path)}</code>`;
  return `<li>${isPage ? `<a href="${relativeLink(path)}">${shown}</a>` : shown}: ${escaped(what)}</li>`;
}

interface ShownRoute {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

interface ShownModel {
  readonly model: Model;
  readonly policy: Policy;
  readonly routes: ReadonlyMap<string, ShownRoute>;
}

/** The routes, each with the roles that may call it. */
function modelSection({ model, policy, routes }: ShownModel, servicePrefix: string): string {
  const title = `model-${model.key}`;
  const rows = [...routes.values()].map(({ method, path, operation }) => ({
    method,
    path: `${servicePrefix}/${model.slug}${path}`,
    roles: openRoles(policy[operation]),
    asksNothing: operation !== "exists",
  }));
  return `<h3 id="${title}">${escaped(model.key)}</h3>\n${routesTable(title, rows)}`;
}

interface ShownCustomRoute {
  readonly method: string;
  readonly path: string;
  readonly access: readonly string[];
}

/** Empty without custom routes. */
function customRoutesSection(routes: readonly ShownCustomRoute[], servicePrefix: string): string {
  if (routes.length === 0) return "";
  const rows = routes.map(({ method, path, access }) => ({
    method,
    path: `${servicePrefix}${path}`,
    roles: access.map((role) => ({ role, isWhole: true })),
    // Names in the path need values. Required query parameters are not known here.
    asksNothing: !path.includes(":"),
  }));
  return `<h2 id="own-routes">Routes of this app</h2>\n${routesTable("own-routes", rows)}`;
}

const meanings: ReadonlyMap<string, string> = new Map([
  [everyRole, "everyone, with or without a token"],
  [signedInRole, "callers with a token or an API key"],
  [guestRole, "callers without a token or an API key"],
  [registeredRole, "users who register"],
  ...administratorRoles.map((role) => [role, "manages accounts and rate limits"] as const),
]);

/** The roles that rules name, and the rules. */
function rolesSection(models: readonly ShownModel[], routes: readonly ShownCustomRoute[]): string {
  const named = new Map<string, Set<string>>();
  const name = (role: string, by: string) => named.set(role, (named.get(role) ?? new Set()).add(by));
  for (const { model, policy } of models)
    for (const { role } of operations.flatMap((operation) => openRoles(policy[operation])))
      name(role, model.key);
  for (const { path, access } of routes) for (const role of access) name(role, path);
  const entries = [...named]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([role, keys]) => {
      const parts = [meanings.get(role), `named by ${[...keys].join(", ")}`];
      const text = parts.filter((part) => part !== undefined).join("; ");
      return `<dt><code>${escaped(role)}</code></dt><dd>${escaped(text)}</dd>`;
    });
  return entries.length === 0 ? "" : `<h2>Roles</h2>\n<dl>\n${entries.join("\n")}\n</dl>`;
}

interface OpenRole {
  readonly role: string;
  /** Whether the role may access all rows. */
  readonly isWhole: boolean;
}

/**
 * The roles that may run an operation, in the order of its rules; for an upsert, those that may both add and
 * change rows.
 */
function openRoles({ rules, insertRules }: OperationPolicy): OpenRole[] {
  const roles = [...new Set([...insertRules, ...rules].map(({ role }) => role))];
  return roles.flatMap((role) => {
    const ways = [insertRules, rules].map((list) => list.filter((rule) => coversRole(rule.role, role)));
    return ways.some((list) => list.length === 0) ? [] : [{ role, isWhole: ways.every(reachesAll) }];
  });
}

function reachesAll(rules: readonly Rule[]): boolean {
  return rules.some(({ when }) => when === undefined);
}

interface RouteRow {
  readonly method: string;
  readonly path: string;
  readonly roles: readonly OpenRole[];
  /** Whether it needs no input. */
  readonly asksNothing: boolean;
}

/**
 * Routes and the roles that may call them. Routes that everyone can open in a browser are links. `title` is
 * the id of the heading.
 */
function routesTable(title: string, rows: readonly RouteRow[]): string {
  return `<table aria-labelledby="${title}">
<thead><tr><th scope="col">Route</th><th scope="col">Open to</th></tr></thead>
<tbody>
${rows.map(line).join("\n")}
</tbody>
</table>`;
}

function line({ method, path, roles, asksNothing }: RouteRow): string {
  const isOpen = method === "GET" && asksNothing && roles.some(({ role }) => role === everyRole);
  const shown = `<code>${method} ${escaped(path)}</code>`;
  const link = isOpen ? `<a href="${relativeLink(path)}">${shown}</a>` : shown;
  return `<tr><td>${link}</td><td>${rolesText(roles)}</td></tr>`;
}

function rolesText(roles: readonly OpenRole[]): string {
  const shown = roles.map(
    ({ role, isWhole }) => `<code>${escaped(role)}</code>${isWhole ? "" : " (some rows)"}`,
  );
  return shown.length === 0 ? "no one" : shown.join(", ");
}

/** A link relative to the page, for an attribute. The dot makes it a path with any first segment. */
function relativeLink(path: string): string {
  return escaped(`.${encodeURI(path)}`);
}

/**
 * `GET /`, with relative links, so that they work below any mount path. Without a slash at the end, the
 * browser is redirected.
 */
export function overviewRoute(service: ShownService): RequestHandler {
  let last: { readonly address: string; readonly page: Page } | null = null;
  return (request, response, next) => {
    const { context, method, originalUrl, url } = request;
    if (splitUrl(url).path !== "/") return next();
    context.route = "/";
    if (method !== "GET" && method !== "HEAD") throw methodNotAllowed(["GET", "HEAD"]);
    const { path } = splitUrl(originalUrl);
    if (!path.endsWith("/")) {
      // The dot keeps it on this host with any segment.
      response.redirect(307, `./${path.slice(path.lastIndexOf("/") + 1)}/`);
      return;
    }
    const address = shownAddress(request, service.baseUrl);
    if (last?.address !== address) last = { address, page: overviewPage(service, address) };
    sendPage(response, 200, last.page);
  };
}

/** Text that cannot contain a command or another host. */
const loopback = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/;
const plainPath = /^[\w./~-]*$/;

/**
 * The URL in the examples. It is `base_url` only if the request used it, because a manifest often has the URL
 * of production, and a development token is invalid there. Headers are only used if they are harmless.
 */
function shownAddress({ headers, socket, baseUrl: mountPath }: Request, baseUrl: string): string {
  const host = headers.host?.toLowerCase() ?? "";
  if (new URL(baseUrl).host === host) return baseUrl;
  const scheme = "encrypted" in socket ? "https" : "http";
  const path = plainPath.test(mountPath) ? mountPath : "";
  return `${scheme}://${loopback.test(host) ? host : localHost(socket)}${path}`;
}

function localHost({ localAddress = "127.0.0.1", localPort = 80 }: Request["socket"]): string {
  const address = localAddress.replace(/^::ffff:(?=\d+\.)/, "");
  return `${address.includes(":") ? `[${address}]` : address}:${localPort}`;
}

export function serviceOverview(service: Service, config: Config): ShownService {
  const { models, routes } = service;
  const { name, baseUrl, servicePrefix, authPrefix } = config;
  return {
    ...{ name, baseUrl, servicePrefix, models, routes },
    signInPath: `${authPrefix}${signInPath}`,
    places: [...docsIn(service, config), ...placesIn(config)],
  };
}

function docsIn(service: Service, config: Config): ShownPlace[] {
  const { document, reference, graphiql } = docsPaths(service, config);
  const page = (path: string | null, what: string) => (path === null ? [] : [{ path, what, isPage: true }]);
  return [
    ...page(reference, "the API reference, with a form for each operation"),
    ...page(document, "the OpenAPI document"),
    ...page(graphiql, "GraphiQL, an editor for GraphQL"),
  ];
}

function placesIn({ servicePrefix, authPrefix, storage, monitoring }: Config): ShownPlace[] {
  const page = (path: string, what: string) => ({ path, what, isPage: true });
  const endpoint = (path: string, what: string) => ({ path, what, isPage: false });
  return [
    endpoint(`${servicePrefix}/graphql`, "GraphQL by POST; the schema is generated/graphql/schema.graphql"),
    ...(storage === null
      ? []
      : [endpoint(`/${storage.slug}`, "files: upload, list, url and delete are paths below it")]),
    ...(monitoring === null
      ? []
      : [page(`${fixedPaths.monitoring}/dashboard`, "monitoring dashboard; asks for the ingestion key")]),
    page(`${authPrefix}/providers`, "the ways to sign in"),
    page(`${authPrefix}/forgot-password`, "the page that resets a password"),
    page(fixedPaths.health, "whether the process is up"),
    page(fixedPaths.ready, "whether its database answers"),
  ];
}
