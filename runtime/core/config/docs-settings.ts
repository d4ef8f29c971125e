import { fixedPaths, pathsCollide } from "../../../vocabulary/built-in-routes.ts";
import { defaultDocsPath, openApiPath } from "../../../vocabulary/openapi/document-paths.ts";

/** The section `docs` of the manifest, with its defaults. The generator reads title, version and description. */
export interface DocsManifest {
  readonly enabled?: boolean;
  readonly scope?: DocsSettings["scope"];
  readonly path: string;
}

/** The settings of the OpenAPI document and its page. */
export interface DocsSettings {
  /** Whether the service serves both. */
  readonly enabled: boolean;
  /** Whether callers get the whole document, or the part that their role reaches. */
  readonly scope: "all" | "caller";
  /** Path of the page, whose files are below it. */
  readonly path: string;
}

/** Reads the section. The defaults of production show less. */
export function docsSettings({ docs }: { readonly docs: DocsManifest }, production: boolean): DocsSettings {
  const { enabled = !production, scope = production ? "caller" : "all", path } = docs;
  return { enabled, scope, path };
}

/** The parts of the manifest with paths of built-in routes. */
interface MountingManifest {
  readonly docs: DocsManifest;
  readonly auth_prefix: string;
  readonly service_prefix: string;
  readonly modules: readonly string[];
  readonly storage: { readonly slug: string };
}

/**
 * The built-in path that `docs.path` conflicts with; null if it is free. Paths of the app are checked by the generator. An app that
 * has the default path itself keeps it.
 */
export function docsConflict(manifest: MountingManifest): string | null {
  const { docs, auth_prefix: accounts, service_prefix: models, modules, storage } = manifest;
  if (docs.path === defaultDocsPath) return null;
  const files = modules.includes("storage") ? [`/${storage.slug}`] : [];
  const tools = modules.includes("mcp") ? [`${models}/mcp`] : [];
  const mounts = [
    ...Object.values(fixedPaths),
    openApiPath,
    accounts,
    `${models}/graphql`,
    ...files,
    ...tools,
  ];
  return mounts.find((path) => pathsCollide(docs.path, path)) ?? null;
}
