import type { DocumentedOperation, OpenApiDocument } from "../../../vocabulary/openapi/document.ts";
import { operations } from "../../../vocabulary/operations.ts";

/** The prefixes of paths. */
export interface PathPrefixes {
  readonly servicePrefix: string;
  readonly authPrefix: string;
}

/** The document with the paths of the running service. Variables can change the prefixes after the generation. */
export function atPrefixes(document: OpenApiDocument, running: PathPrefixes): OpenApiDocument {
  const entries = Object.entries(document.paths).map(
    ([path, item]) => [path, item, Object.values(item)] as const,
  );
  const prefixOf = (id: string, end: string): string => {
    const found = entries.find(([, , ofPath]) => ofPath.some(({ operationId }) => operationId === id));
    return found === undefined ? "" : found[0].slice(0, -end.length);
  };
  const former = {
    servicePrefix: prefixOf("graphql", "/graphql"),
    authPrefix: prefixOf("authLogin", "/login"),
  };
  const moved = (path: string, operation: DocumentedOperation | undefined): string => {
    const prefix = operation === undefined ? null : prefixNameOf(path, operation);
    return prefix === null ? path : running[prefix] + path.slice(former[prefix].length);
  };
  const paths = entries.map(([path, item, [operation]]) => [moved(path, operation), item] as const);
  return { ...document, paths: Object.fromEntries(paths) };
}

/** The prefix that a path has; null for those of modules, which have none. */
function prefixNameOf(path: string, { operationId, tags }: DocumentedOperation): keyof PathPrefixes | null {
  // A model whose key is the tag of a module shares the tag.
  if (operations.some((name) => path.endsWith(`/${name}`) && operationId.startsWith(name)))
    return "servicePrefix";
  const [tag] = tags;
  if (tag === "accounts" || tag === "social") return "authPrefix";
  return ["users", "storage", "monitoring", "rate-limits", "health"].includes(tag) ? null : "servicePrefix";
}
