import { pathsCollide } from "../../vocabulary/built-in-routes.ts";
import { canBeUnder, routePathProblem, segmentsOf } from "../../vocabulary/custom-routes.ts";
import { defaultDocsPath, openApiPath } from "../../vocabulary/openapi/document-paths.ts";
import type { SourceSpan } from "../diagnostics/index.ts";
import type { CheckContext } from "./check-context.ts";
import { mountsOf } from "./check-routes.ts";

/** A path that is not Kirak's documentation. */
interface TakenPath {
  readonly path: string;
  readonly what: string;
  readonly at: SourceSpan | null;
}

/**
 * Checks the paths of the OpenAPI document and its page. A declared `docs.path` must be free. An app that has the default paths
 * itself keeps them.
 */
export function checkDocsPath(context: CheckContext): void {
  const { manifest, report } = context;
  const path = manifest?.docs.path ?? null;
  const ofApp = appPaths(context);
  const mounts: TakenPath[] = mountsOf(manifest);
  if (path !== null) {
    const document = { path: openApiPath, what: "the OpenAPI document", at: null };
    const other =
      ofApp.find((each) => isUnder(path.value, each.path)) ??
      [...mounts, document].find((each) => pathsCollide(path.value, each.path));
    if (other !== undefined) {
      const message = `"docs.path" ${JSON.stringify(path.value)} conflicts with ${other.what} at ${other.path}`;
      const also = other.at === null ? [] : [other.at];
      report("docs-path-taken", path.at, message, "choose another path", also, "error");
    }
  }
  for (const own of path === null ? [openApiPath, defaultDocsPath] : [openApiPath]) {
    const other = [...ofApp, ...mounts].find((each) => isUnder(own, each.path) || isUnder(each.path, own));
    if (other === undefined || other.at === null) continue;
    const message = `Kirak does not serve ${nameOf(own)} at ${own}, because of ${other.what} at ${other.path}`;
    const hint = own === openApiPath ? null : 'set "docs.path" in the manifest to serve it elsewhere';
    report("docs-path-taken", other.at, message, hint);
  }
}

function nameOf(path: string): string {
  return path === openApiPath ? "its OpenAPI document" : "the page of its OpenAPI document";
}

/** The paths of public models, with all operations below them, and of custom routes. */
function appPaths({ manifest, models, routes }: CheckContext): TakenPath[] {
  const prefix = manifest?.servicePrefix?.value ?? "";
  const exposed = models.filter(({ internal, builtIn }) => !internal && !builtIn);
  const ofRoutes = routes.filter(({ path }) => routePathProblem(path.value) === null);
  return [
    ...exposed.map(({ key, slug, at }) => ({
      path: `${prefix}/${slug?.value ?? key}`,
      what: `model "${key}"`,
      at: slug?.at ?? at,
    })),
    ...ofRoutes.map(({ method, path }) => ({
      path: `${prefix}${path.value}`,
      what: `the route ${method.value} ${path.value}`,
      at: path.at,
    })),
  ];
}

function isUnder(path: string, other: string): boolean {
  return canBeUnder(segmentsOf(path), segmentsOf(other));
}
