import { refreshCookieProblem } from "../../../vocabulary/accounts/cookie-names.ts";
import { fixedPaths, pathsCollide } from "../../../vocabulary/built-in-routes.ts";
import { docsConflict } from "./docs-settings.ts";
import type { Manifest } from "./manifest.ts";

/** Conflicts between keys that are valid by themselves. */
export function manifestConflicts(
  manifest: Manifest,
  production: boolean,
  label: (place: string) => string,
): string[] {
  const slug = `/${manifest.storage.slug}`;
  const { auth_prefix: accounts, service_prefix: models } = manifest;
  const mounts = [...Object.values(fixedPaths), accounts, `${models}/graphql`, models];
  const other = mounts.find((path) => path !== "" && pathsCollide(slug, path));
  const place = "storage.slug";
  const docs = docsConflict(manifest);
  return [
    ...settingConflicts(manifest, production, label),
    ...(docs === null
      ? []
      : [`${label("docs.path")}: docs.path conflicts with the routes at or below ${docs}`]),
    ...(manifest.modules.includes("storage") && other !== undefined
      ? [`${label(place)}: ${place} conflicts with the routes below ${other}`]
      : []),
  ];
}

function settingConflicts(
  { base_url: baseUrl, auth, server }: Manifest,
  production: boolean,
  label: (place: string) => string,
): string[] {
  const { cookie_name: cookie, cookie_domain: domain, refresh_cookie_name: refreshCookieName = null } = auth;
  const place = "auth.cookie_domain";
  const refreshPlace = "auth.refresh_cookie_name";
  const refreshProblem = refreshCookieProblem({ cookieName: cookie ?? null, refreshCookieName });
  const drain = "server.drain_seconds";
  return [
    ...(production && baseUrl === undefined
      ? [
          `${label("base_url")}: base_url is missing, and NODE_ENV=production needs it: set it there, or SERVICE_SET_BASE_URL`,
        ]
      : []),
    ...(domain !== undefined && cookie !== undefined && /^__host-/i.test(cookie)
      ? [`${label(place)}: ${place} must be left out: browsers refuse a __Host- cookie with a domain`]
      : []),
    ...(refreshProblem === null ? [] : [`${label(refreshPlace)}: ${refreshPlace} ${refreshProblem}`]),
    ...((server.drain_seconds ?? 0) > server.shutdown_timeout_seconds
      ? [`${label(drain)}: ${drain} must be at most server.shutdown_timeout_seconds`]
      : []),
  ];
}
