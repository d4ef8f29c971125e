/** How long a run waits for other sessions. Durations are in milliseconds. */
export interface Timing {
  /** Longest wait of a transaction for all of its locks. Other sessions queue behind that wait. */
  readonly lockTimeoutMs: number;
  /** Maximum attempts of a transaction that cannot get a lock. */
  readonly attempts: number;
  /** Maximum attempts of the main transaction, if indexes were built before it. A failure would drop them. */
  readonly lastAttempts: number;
  /** The pause after the first attempt; each further pause is doubled, up to 20 times the first. */
  readonly retryDelayMs: number;
  /** The interval at which a long step logs its progress. */
  readonly progressMs: number;
  /** The interval at which a waiting instance tries to get the migration lock. */
  readonly pollMs: number;
  /** Connection timeout. */
  readonly connectTimeoutMs: number;
  /** Maximum time for the connection with the lock to respond or to close. */
  readonly answerTimeoutMs: number;
  /** PostgreSQL ends a transaction that is idle for this long, because its process is frozen. */
  readonly idleTimeoutMs: number;
}

const defaultTiming: Timing = {
  lockTimeoutMs: 2_000,
  attempts: 10,
  lastAttempts: 100,
  retryDelayMs: 500,
  progressMs: 5_000,
  pollMs: 250,
  connectTimeoutMs: 10_000,
  answerTimeoutMs: 5_000,
  idleTimeoutMs: 30_000,
};

/** The timing: defaults, overridden by the settings. */
export function timingOf({ timing }: { readonly timing?: Partial<Timing> }): Timing {
  return { ...defaultTiming, ...timing };
}
