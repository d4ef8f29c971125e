import type { Pool } from "./pool.ts";
import type { PooledConnection } from "./pooled-connection.ts";

/** A connection of the pool for one piece of work, taken when its first statement needs it. */
export class CheckedOutConnection {
  private readonly pool: Pool;
  private session: PooledConnection | null = null;
  private arriving: Promise<PooledConnection> | null = null;
  /** How long it waits for the connection; undefined for as long as anybody may. */
  private readonly longestWaitMs: number | undefined;

  constructor(pool: Pool, longestWaitMs?: number) {
    this.pool = pool;
    this.longestWaitMs = longestWaitMs;
  }

  /** The connection, or null where no statement has one yet. */
  get taken(): PooledConnection | null {
    return this.session;
  }

  /** The connection, at once where one is free. Those who wait for it get it in the order in which they asked. */
  take(): PooledConnection | Promise<PooledConnection> {
    const session = this.session ?? this.arriving;
    if (session !== null) return session;
    const free = this.pool.take();
    if (free !== undefined) return this.keep(free);
    this.arriving = this.pool.acquire(this.longestWaitMs).then((arrived) => this.keep(arrived));
    return this.arriving;
  }

  /** Whether a statement waits for the connection. */
  get isArriving(): boolean {
    return this.session === null && this.arriving !== null;
  }

  /** Gives the connection back, if there is one; one that is still to come when it comes. */
  return(): void {
    if (this.session !== null) this.pool.release(this.session);
    else
      this.arriving?.then(
        (session) => this.pool.release(session),
        () => {},
      );
  }

  private keep(session: PooledConnection): PooledConnection {
    session.transient = null;
    this.session = session;
    return session;
  }
}
