import { setImmediate, setTimeout } from "node:timers/promises";
import pg from "pg";
import { ConnectionError, closedError, NoResponseError } from "./database-error.ts";
import type { PooledConnection } from "./pooled-connection.ts";

interface SilenceOptions {
  /** Maximum time without data while a response is due. */
  readonly answerTimeoutMs: number;
  /** Whether the server works on the statement; null if PostgreSQL cancels statements before the limit. */
  readonly isWorking: ((connection: PooledConnection) => Promise<boolean>) | null;
  /** Maximum time of a statement, after which PostgreSQL has cancelled it. */
  readonly longestWorkMs: number;
  /** Called after the connection was closed. */
  readonly onSilent: () => void;
}

/**
 * Closes a connection on which the server is silent for too long. Otherwise a connection that a firewall
 * dropped would wait a quarter of an hour for TCP to give up. A long statement does not count as silence:
 * halfway through the limit, another connection checks whether the server is executing it.
 */
export function endWhenSilent(
  connection: PooledConnection,
  { answerTimeoutMs, isWorking, longestWorkMs, onSilent }: SilenceOptions,
): void {
  const { socket } = connection;
  const quietMs = isWorking === null ? answerTimeoutMs : answerTimeoutMs / 2;
  /** Bytes received when the silence began, and the time. */
  let silence = { heard: -1, since: 0 };
  const look = async () => {
    if (!connection.isWaiting) return;
    const heard = socket.bytesRead;
    if (silence.heard !== heard) silence = { heard, since: performance.now() };
    const isAtWork = isWorking !== null && (await answeredWithin(isWorking(connection), quietMs));
    // Lets this process read data that has arrived.
    await setImmediate();
    if (!connection.isWaiting || socket.bytesRead !== heard) return;
    if (isAtWork && performance.now() - silence.since < longestWorkMs) return void socket.setTimeout(quietMs);
    socket.destroy(new NoResponseError("the database does not answer"));
    onSilent();
  };
  socket.setTimeout(quietMs).on("timeout", () => void look());
}

/** Waits for the whole time, and returns the result; false without a response. */
async function answeredWithin(question: Promise<boolean>, ms: number): Promise<boolean> {
  let answer = false;
  question.then(
    (answered) => {
      answer = answered;
    },
    () => {},
  );
  await setTimeout(ms, undefined, { ref: false });
  return answer;
}

const connectTimeoutMs = 2_000;
const answerTimeoutMs = 2_000;

interface Question {
  readonly url: string;
  /** The application name in `pg_stat_activity`. */
  readonly name: string;
  readonly text: string;
  /** Whether the connection is kept for the next question. */
  readonly keeps: boolean;
  /** Called for each NOTIFY if `text` is a LISTEN. */
  readonly onNotification?: () => void;
}

/** Runs one query on its own connection, because it must not wait in the queue of a busy pool. */
export class SideConnection<Row extends pg.QueryResultRow> {
  readonly #question: Question;
  #client: pg.Client | null = null;
  #asking: Promise<readonly Row[]> | null = null;
  #closed = false;

  constructor(question: Question) {
    this.#question = question;
  }

  /**
   * Errors: ConnectionError if there is no response within four seconds. Calls during a running query share
   * its result.
   */
  ask(): Promise<readonly Row[]> {
    this.#asking ??= this.#exchange().finally(() => {
      this.#asking = null;
    });
    return this.#asking;
  }

  /** Rejects the running check and all later ones. */
  close(): void {
    this.#closed = true;
    this.#disconnect();
  }

  async #exchange(): Promise<readonly Row[]> {
    if (this.#closed) throw closedError();
    try {
      const client = this.#client ?? (await this.#connect());
      const { rows } = await client.query<Row>(this.#question.text);
      if (!this.#question.keeps) this.#disconnect();
      return rows;
    } catch (error) {
      this.#disconnect();
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
    // The next question makes a new connection.
    const forget = () => {
      if (this.#client === client) this.#client = null;
    };
    client.on("error", forget).on("end", forget);
    if (this.#question.onNotification !== undefined) client.on("notification", this.#question.onNotification);
    await client.connect();
    return client;
  }

  /** Closes the socket only: a silent server would not respond to a Terminate message. */
  #disconnect(): void {
    this.#client?.connection.stream.destroy();
    this.#client = null;
  }
}

/**
 * The running statements. A process that waits for its client is active too, but silent. A hidden statement
 * counts as running: those of other roles, or all without `track_activities`. Long texts are cut off.
 */
const underWay = `select pid::text, query from pg_stat_activity
where (state is null or state in ('active', 'disabled')) and wait_event_type is distinct from 'Client'`;

interface Work {
  readonly pid: string;
  readonly query: string | null;
}

/** Reads the running statements on a new connection each time, because existing ones can be silent. */
export class Activity {
  readonly #question: SideConnection<Work>;

  constructor(url: string) {
    this.#question = new SideConnection({ url, name: "kirak activity", text: underWay, keeps: false });
  }

  /**
   * Whether PostgreSQL is executing the statement of a connection. Also true if PostgreSQL refuses the query,
   * for example because of too many connections. Rejects without a response in four seconds. Behind a pooler,
   * a statement is identified by its text. This does not work for knex and COMMIT.
   */
  async isWorkingFor({ opening, processId, text }: PooledConnection): Promise<boolean> {
    const isFor = ({ pid, query }: Work) =>
      opening === null ? pid === processId : Boolean(query) && text.startsWith(query ?? "");
    try {
      return (await this.#question.ask()).some(isFor);
    } catch (error) {
      if (error instanceof ConnectionError && error.cause instanceof pg.DatabaseError) return true;
      throw error;
    }
  }

  close(): void {
    this.#question.close();
  }
}
