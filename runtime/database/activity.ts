import pg from "pg";
import type { PooledConnection } from "./pooled-connection.ts";

const connectTimeoutMs = 2_000;
const answerTimeoutMs = 2_000;

/**
 * What PostgreSQL works on. A process that waits for its client is active too, and is just as silent. What another role does is
 * not told, nor anything where `track_activities` is off: that may be work. Texts are cut off, by default behind some thousand
 * characters.
 */
const underWay = `SELECT pid::text, query FROM pg_stat_activity
WHERE (state IS NULL OR state IN ('active', 'disabled')) AND wait_event_type IS DISTINCT FROM 'Client'`;

interface Work {
  readonly pid: string;
  readonly query: string | null;
}

/** Asks what PostgreSQL is doing, each time on a new connection: those that there are may have gone silent. */
export class Activity {
  private readonly url: string;
  private asking: Promise<readonly Work[]> | null = null;
  private client: pg.Client | null = null;
  private closed = false;

  constructor(url: string) {
    this.url = url;
  }

  /**
   * Whether PostgreSQL works on what it was asked on a connection; also where it says that it cannot tell now, such as that it
   * has too many connections. Rejects when there is no answer within four seconds. Behind a pooler nobody knows which server
   * process that is: there the text of the statement tells, and knex's queries and the end of a transaction are not known.
   */
  async isWorkingFor({ opening, processId, text }: PooledConnection): Promise<boolean> {
    this.asking ??= this.ask().finally(() => {
      this.asking = null;
    });
    const isFor = ({ pid, query }: Work) =>
      opening === null ? pid === processId : Boolean(query) && text.startsWith(query ?? "");
    try {
      return (await this.asking).some(isFor);
    } catch (error) {
      if (error instanceof pg.DatabaseError) return true;
      throw error;
    }
  }

  /** A question under way rejects, and so does each that comes later. */
  close(): void {
    this.closed = true;
    this.client?.connection.stream.destroy();
  }

  private async ask(): Promise<readonly Work[]> {
    if (this.closed) throw new Error("the database connections are closed");
    const client = new pg.Client({
      connectionString: this.url,
      connectionTimeoutMillis: connectTimeoutMs,
      query_timeout: answerTimeoutMs,
      application_name: "kirak activity",
    });
    this.client = client.on("error", () => {});
    try {
      await client.connect();
      return (await client.query<Work>(underWay)).rows;
    } finally {
      this.client = null;
      // At once: a server that does not answer would not say goodbye either.
      client.connection.stream.destroy();
    }
  }
}
