import pg from "pg";
import { endConnection, endsWithin } from "./session-settings.ts";
import type { Timing } from "./timing.ts";

/** Looks at the connection that works, over another one, which it makes when it first looks. */
export class Observer {
  readonly #url: string;
  readonly #timing: Timing;
  #connection: Promise<pg.Client> | null = null;

  constructor(url: string, timing: Timing) {
    this.#url = url;
    this.#timing = timing;
  }

  async query<Row extends pg.QueryResultRow>(
    text: string,
    values: readonly unknown[],
  ): Promise<pg.QueryResult<Row>> {
    this.#connection ??= this.#connect();
    const client = await this.#connection;
    return client.query<Row>(text, [...values]);
  }

  async close(): Promise<void> {
    const { answerTimeoutMs } = this.#timing;
    const connection = this.#connection?.then((client) => endConnection(client, answerTimeoutMs));
    if (connection !== undefined) await endsWithin(answerTimeoutMs, connection).catch(() => {});
  }

  async #connect(): Promise<pg.Client> {
    const client = new pg.Client({
      connectionString: this.#url,
      connectionTimeoutMillis: this.#timing.connectTimeoutMs,
      application_name: "kirak migrations",
    });
    // The next look makes another one.
    const forget = () => {
      this.#connection = null;
    };
    client.on("error", forget);
    await client.connect().catch((error: unknown) => {
      forget();
      throw error;
    });
    return client;
  }
}
