import { escaped, type Page, page } from "../pages/index.ts";
import { modelSection, type ShownModel } from "./model-section.ts";
import { ownRoutesSection, type ShownOwnRoute } from "./own-routes-section.ts";
import { relativeLink } from "./relative-link.ts";
import { rolesSection } from "./roles-section.ts";

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
