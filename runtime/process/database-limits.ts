/** A statement that runs longer than this is cancelled, whoever waits for it has long gone. */
export const statementTimeoutMs = 30_000;

/** Of the connections for requests and for jobs. */
export const databaseLimits = {
  statementTimeoutMs,
  /** Well below it: until then those who wait for one locked row keep everybody else from a connection. */
  lockTimeoutMs: 10_000,
};
