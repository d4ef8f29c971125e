/** Model keys with hook files of their own: `hooks/auth.ts` and `hooks/graphql.ts` (decisions, part 1). */
export const reservedKeys: ReadonlySet<string> = new Set(["auth", "graphql"]);
