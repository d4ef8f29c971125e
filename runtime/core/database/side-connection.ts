import pg from "pg";
import { ConnectionError, closedError } from "./connection-error.ts";

const connectTimeoutMs = 2_000;
const answerTimeoutMs = 2_000;

export interface Question {
  readonly url: string;
  /** The name that PostgreSQL tells of the connection. */
  readonly name: string;
  readonly text: string;
  /** Whether it is asked on one connection, which is kept, or each time on a new one. */
  readonly keeps: boolean;
  /** Called with each NOTIFY, if the text is a LISTEN. */
  readonly onNotification?: () => void;
}

/**
 * Asks the database one thing on a connection of its own: a pool that is busy says nothing of whether the database answers, and
 * questions must not stand in its queue.
 */
export class SideConnection<Row extends pg.QueryResultRow> {
  readonly #question: Question;
  #client: pg.Client | null = null;
  #asking: Promise<readonly Row[]> | null = null;
  #closed = false;

  constructor(question: Question) {
    this.#question = question;
  }

  /** Rejects with a ConnectionError when there is no answer within four seconds. Whoever asks meanwhile shares the answer. */
  ask(): Promise<readonly Row[]> {
    this.#asking ??= this.#exchange().finally(() => {
      this.#asking = null;
    });
    return this.#asking;
  }

  /** A question under way rejects, and so does each that comes later. */
  close(): void {
    this.#closed = true;
    this.#hangUp();
  }

  async #exchange(): Promise<readonly Row[]> {
    if (this.#closed) throw closedError();
    try {
      const client = this.#client ?? (await this.#connect());
      const { rows } = await client.query<Row>(this.#question.text);
      if (!this.#question.keeps) this.#hangUp();
      return rows;
    } catch (error) {
      this.#hangUp();
      throw new ConnectionError(error instanceof Error ? error : new Error(String(error)));
    }
  }

  async #connect(): Promise<pg.Client> {
    const client = new pg.Client({
      connectionString: this.#question.url,
      connectionTimeoutMillis: connectTimeoutMs,
      query_timeout: answerTimeoutMs,
      keepAlive: true,
      application_name: this.#question.name,
    });
    this.#client = client;
    // The next question makes another one.
    const forget = () => {
      if (this.#client === client) this.#client = null;
    };
    client.on("error", forget).on("end", forget);
    if (this.#question.onNotification !== undefined) client.on("notification", this.#question.onNotification);
    await client.connect();
    return client;
  }

  /** At once: a server that does not answer would not say goodbye either. */
  #hangUp(): void {
    this.#client?.connection.stream.destroy();
    this.#client = null;
  }
}
