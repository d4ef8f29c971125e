/** Holds the id of the Redis that was filled from the table, as long as nothing has emptied it since. */
export const readyKey = "kirak:blacklist:ready";

/** Is there while the token is revoked, and expires with it. */
export function entryKey(jti: string): string {
  return `kirak:blacklist:${jti}`;
}
