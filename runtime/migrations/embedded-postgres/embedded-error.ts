/** Why there is no embedded PostgreSQL, in words for the developer who started the service. */
export class EmbeddedError extends Error {
  override readonly name = "EmbeddedError";
}
