/** Tables of the service itself (contract: "Internal tables"); what begins with `kirak_` is kept free for more. */
const internalTables: ReadonlySet<string> = new Set([
  "users",
  "auth_tokens",
  "auth_social",
  "auth_mfa",
  "auth_otp",
  "auth_token_blacklist",
]);

/** Whether a table, or a model key, is one of the service itself. */
export function isInternal(name: string): boolean {
  return internalTables.has(name.toLowerCase()) || name.toLowerCase().startsWith("kirak_");
}

/** Model keys with hook files of their own: `hooks/auth.ts` and `hooks/graphql.ts` (decisions, part 1). */
export const reservedKeys: ReadonlySet<string> = new Set(["auth", "graphql"]);
