import {
  accountRoutes,
  adminRoutes,
  localFilesRoute,
  storageRoutes,
} from "../../../vocabulary/built-in-routes.ts";
import type { Config } from "../../config/index.ts";
import type { NamedModel } from "../monitoring.ts";

/** What the `routes` of an alert check may name: keys of models, and patterns of routes with the prefixes in force. */
export type AlertNames = ReadonlySet<string>;

/** The pattern of requests that led nowhere. */
const unmatched = "unmatched";

type NamingConfig = Pick<Config, "servicePrefix" | "authPrefix" | "storage" | "social">;

/** What alert checks of a service may name. Routes that are never recorded are none of it: a check of theirs would be silent for ever. */
export function alertNames(
  { servicePrefix, authPrefix, storage, social }: NamingConfig,
  models: readonly NamedModel[],
  routes: readonly string[],
): AlertNames {
  const ofModels = models.flatMap(({ key, slug, paths }) => [
    key,
    ...paths.map((path) => `${servicePrefix}/${slug}${path}`),
  ]);
  const ofAccounts = accountRoutes
    .filter(({ path }) => isServed(path, social))
    .map(({ path }) => authPrefix + path);
  const ofFiles = storage === null ? [] : filePatterns(storage.slug, storage.store.provider === "local");
  const ofAdministrators = adminRoutes.map(({ path }) => path);
  return new Set([
    ...ofModels,
    ...routes.map((path) => servicePrefix + path),
    ...ofAccounts,
    `${servicePrefix}/graphql`,
    ...ofFiles,
    ...ofAdministrators,
    unmatched,
  ]);
}

/**
 * A name as records have it, or null where it is none. They have no path that an application has mounted the service at; a pattern may
 * be named with it and without.
 */
export function recordedName(names: AlertNames, mount: string, name: string): string | null {
  if (names.has(name)) return name;
  const inside = name.startsWith(`${mount}/`) ? name.slice(mount.length) : "";
  return names.has(inside) ? inside : null;
}

/** Routes of providers are there where one is declared. */
function isServed(path: string, { providers }: Config["social"]): boolean {
  if (path === "/apple/callback") return providers.some(({ name }) => name === "apple-id");
  return !path.startsWith("/{provider}/") || providers.length > 0;
}

function filePatterns(slug: string, local: boolean): string[] {
  const routes = local ? [...storageRoutes, localFilesRoute] : storageRoutes;
  return routes.map(({ path }) => `/${slug}${path}`);
}
