import { builtInModels } from "./built-in/index.ts";

/** Tables of the service itself (contract: "Internal tables"). Each has the key of its model. */
const internalTables: ReadonlySet<string> = new Set(builtInModels().map(({ key }) => key));

/** Whether a table, or a model key, is one of the service itself; what begins with `kirak_` is kept free for more. */
export function isInternal(name: string): boolean {
  return internalTables.has(name.toLowerCase()) || name.toLowerCase().startsWith("kirak_");
}

/** Model keys with hook files of their own: `hooks/auth.ts` and `hooks/graphql.ts` (decisions, part 1). */
export const reservedKeys: ReadonlySet<string> = new Set(["auth", "graphql"]);
