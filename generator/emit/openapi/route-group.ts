import type {
  DocumentedOperation,
  DocumentSchema,
  Entries,
  PathItem,
} from "../../../vocabulary/openapi/document.ts";

/** The routes of one tag that are not operations of a model. */
export interface RouteGroup {
  readonly tag: string;
  /** The description of the tag. */
  readonly description: string;
  readonly paths: Entries<PathItem>;
  readonly schemas?: Entries<DocumentSchema>;
}

/** The key of a row of a table of routes: `GET /healthz`. */
export type RouteKey<Row extends { readonly method: string; readonly path: string }> = Row extends {
  readonly method: infer Method extends string;
  readonly path: infer Path extends string;
}
  ? `${Method} ${Path}`
  : never;

/** The operations of paths, in the order of their rows. */
export function pathsOfTable<Row extends { readonly method: string; readonly path: string }>(
  rows: readonly Row[],
  prefix: string,
  operationOf: (row: Row) => DocumentedOperation | null,
): Entries<PathItem> {
  const paths: Record<string, PathItem> = {};
  for (const row of rows) {
    const operation = operationOf(row);
    const path = prefix + row.path;
    if (operation !== null) paths[path] = { ...paths[path], [row.method.toLowerCase()]: operation };
  }
  return paths;
}
