/** PostgreSQL cancels longer statements: their callers have timed out long before. */
export const statementTimeoutMs = 30_000;

/** Limits of the connections for requests and for jobs. */
export const databaseLimits = {
  statementTimeoutMs,
  /** Well below the statement timeout: requests that wait for a row lock occupy the pool. */
  lockTimeoutMs: 10_000,
};
