import {
  administratorRoles,
  coversRole,
  everyRole,
  guestRole,
  registeredRole,
  signedInRole,
} from "../../../vocabulary/accounts/role-names.ts";
import { type Operation, operations } from "../../../vocabulary/operations.ts";
import { escaped, type Page, page } from "../../core/pages/index.ts";
import type { OperationPolicy, Policy, Rule } from "../../models/access/index.ts";
import type { Model } from "../../models/index.ts";

/** A page or an endpoint beside the models. */
export interface ShownPlace {
  readonly path: string;
  /** In a few words. */
  readonly what: string;
  /** Whether a browser shows something there. */
  readonly isPage: boolean;
}

/** What the page shows of a service. Paths are those below its mount path, and begin with a slash. */
export interface ShownService {
  readonly name: string;
  /** As it is configured. */
  readonly baseUrl: string;
  readonly servicePrefix: string;
  readonly models: readonly ShownModel[];
  readonly routes: readonly ShownOwnRoute[];
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

/** Puts the page together. It runs no script. `address` is where the service answers. */
export function overviewPage(service: ShownService, address: string): Page {
  const { name, models, routes, servicePrefix, places } = service;
  const sections = [
    `<h1>${escaped(name)}</h1>
<p>The service is up. This page is there in development alone: with <code>NODE_ENV=production</code> its address is 404.</p>`,
    tokenSection(service, address),
    "<h2>Models</h2>",
    models.length === 0 ? "<p>None has routes yet.</p>" : "",
    ...models.map((model) => modelSection(model, servicePrefix)),
    ownRoutesSection(routes, servicePrefix),
    rolesSection(models, routes),
    `<h2>What else there is</h2>\n<ul>\n${places.map(place).join("\n")}\n</ul>`,
    "<p>What it all means stands in <code>README.md</code> and <code>docs/</code> of the project.</p>",
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

/** A route of a model. */
interface ShownRoute {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

/** A model with routes, as the page shows it. */
interface ShownModel {
  readonly model: Model;
  readonly policy: Policy;
  readonly routes: ReadonlyMap<string, ShownRoute>;
}

/** Its routes, each with whom it lets in. */
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

/** A route of the app's own, as the page shows it. */
interface ShownOwnRoute {
  readonly method: string;
  readonly path: string;
  readonly access: readonly string[];
}

/** The routes of the app's own; nothing where it has none. */
function ownRoutesSection(routes: readonly ShownOwnRoute[], servicePrefix: string): string {
  if (routes.length === 0) return "";
  const rows = routes.map(({ method, path, access }) => ({
    method,
    path: `${servicePrefix}${path}`,
    roles: access.map((role) => ({ role, isWhole: true })),
    // What stands for a name has to be chosen; what the query may have to hold is not known here.
    asksNothing: !path.includes(":"),
  }));
  return `<h2 id="own-routes">Routes of this app</h2>\n${routesTable("own-routes", rows)}`;
}

/** What the service itself means by a role. */
const meanings: ReadonlyMap<string, string> = new Map([
  [everyRole, "everybody, with a token or without"],
  [signedInRole, "whoever sends a token or an API key"],
  [guestRole, "whoever sends neither"],
  [registeredRole, "whoever registers"],
  ...administratorRoles.map((role) => [role, "looks after accounts and rate limits"] as const),
]);

/** The roles that rules name, with where. */
function rolesSection(models: readonly ShownModel[], routes: readonly ShownOwnRoute[]): string {
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

/** A role that an operation lets in. */
interface OpenRole {
  readonly role: string;
  /** Whether it reaches all rows. */
  readonly isWhole: boolean;
}

/** The roles that an operation lets in, in the order of its rules. An upsert asks for both: to add rows, and to change them. */
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

/** A line of the table. */
interface RouteRow {
  readonly method: string;
  /** With `service_prefix`. */
  readonly path: string;
  readonly roles: readonly OpenRole[];
  /** Whether nothing has to be sent for an answer that shows something. */
  readonly asksNothing: boolean;
}

/** Routes with whom they let in. What everybody may open in a browser is a link. `title` is the id of the heading. */
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
  return `<tr><td>${link}</td><td>${whom(roles)}</td></tr>`;
}

function whom(roles: readonly OpenRole[]): string {
  const shown = roles.map(
    ({ role, isWhole }) => `<code>${escaped(role)}</code>${isWhole ? "" : " (some rows)"}`,
  );
  return shown.length === 0 ? "nobody" : shown.join(", ");
}

/** A path of the service as a link of the page at its root, for an attribute. The dot keeps it a path, whatever its first segment is. */
function relativeLink(path: string): string {
  return escaped(`.${encodeURI(path)}`);
}
