/** Why the embedded PostgreSQL cannot run, for the developer who started the service. */
export class EmbeddedError extends Error {
  override readonly name = "EmbeddedError";
}
