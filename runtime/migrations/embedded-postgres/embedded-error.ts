/** The reason why the embedded PostgreSQL cannot run, written for the developer who started the service. */
export class EmbeddedError extends Error {
  override readonly name = "EmbeddedError";
}
