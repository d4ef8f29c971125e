import pg from "pg";
import { ConnectionError } from "./connection-error.ts";

const connectTimeoutMs = 2_000;
const answerTimeoutMs = 2_000;

/**
 * Asks whether the database answers, on a connection of its own: a pool that is busy says nothing of that, and questions
 * must not stand in its queue.
 */
export class Probe {
  private readonly url: string;
  private client: pg.Client | null = null;
  private asking: Promise<void> | null = null;
  private closed = false;

  constructor(url: string) {
    this.url = url;
  }

  /** Rejects when there is no answer within four seconds. Whoever asks meanwhile shares the answer. */
  ask(): Promise<void> {
    this.asking ??= this.exchange().finally(() => {
      this.asking = null;
    });
    return this.asking;
  }

  /** A question under way rejects. */
  close(): void {
    this.closed = true;
    this.hangUp();
  }

  private async exchange(): Promise<void> {
    try {
      if (this.closed) throw new Error("the database connections are closed");
      const client = this.client ?? (await this.connect());
      await client.query("SELECT 1");
    } catch (error) {
      this.hangUp();
      throw new ConnectionError(error instanceof Error ? error : new Error(String(error)));
    }
  }

  private async connect(): Promise<pg.Client> {
    const client = new pg.Client({
      connectionString: this.url,
      connectionTimeoutMillis: connectTimeoutMs,
      query_timeout: answerTimeoutMs,
      keepAlive: true,
      application_name: "kirak readiness",
    });
    this.client = client;
    // The next question makes another one.
    const forget = () => {
      if (this.client === client) this.client = null;
    };
    client.on("error", forget).on("end", forget);
    await client.connect();
    return client;
  }

  /** At once: a server that does not answer would not say goodbye either. */
  private hangUp(): void {
    this.client?.connection.stream.destroy();
    this.client = null;
  }
}
