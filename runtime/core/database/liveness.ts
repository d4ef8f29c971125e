import { setImmediate, setTimeout } from "node:timers/promises";
import pg from "pg";
import { ConnectionError, closedError, NoAnswerError } from "./database-error.ts";
import type { PooledConnection } from "./pooled-connection.ts";

interface SilenceOptions {
  /** Longest time in milliseconds without data from the server while an answer is due. */
  readonly answerTimeoutMs: number;
  /** Whether the server is working on the statement; null if no statement can take that long. */
  readonly isWorking: ((connection: PooledConnection) => Promise<boolean>) | null;
  /**
   * Longest time in milliseconds for a statement that the server works on. By then PostgreSQL has cancelled it.
   */
  readonly longestWorkMs: number;
  /** Called when the connection was closed. */
  readonly onSilent: () => void;
}

/**
 * Closes a connection on which the server is silent for too long. Without this, a connection that a firewall
 * dropped would wait for TCP to give up, which takes a quarter of an hour. A statement that the server is
 * working on is not silence: half-way through the limit, it is asked on another connection.
 */
export function endWhenSilent(
  connection: PooledConnection,
  { answerTimeoutMs, isWorking, longestWorkMs, onSilent }: SilenceOptions,
): void {
  const { socket } = connection;
  const quietMs = isWorking === null ? answerTimeoutMs : answerTimeoutMs / 2;
  /** The bytes received when the silence was noticed first, and the time. */
  let silence = { heard: -1, since: 0 };
  const look = async () => {
    if (!connection.isWaiting) return;
    const heard = socket.bytesRead;
    if (silence.heard !== heard) silence = { heard, since: performance.now() };
    const isAtWork = isWorking !== null && (await answeredWithin(isWorking(connection), quietMs));
    // Data that a busy process has not read yet is not silence either.
    await setImmediate();
    if (!connection.isWaiting || socket.bytesRead !== heard) return;
    if (isAtWork && performance.now() - silence.since < longestWorkMs) return void socket.setTimeout(quietMs);
    socket.destroy(new NoAnswerError("the database does not answer"));
    onSilent();
  };
  socket.setTimeout(quietMs).on("timeout", () => void look());
}

/** The answer to a question, at the end of the given time. No answer counts as no. */
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
  /** The application name that PostgreSQL shows for the connection. */
  readonly name: string;
  readonly text: string;
  /** True: one connection is kept. False: each question makes a new one. */
  readonly keeps: boolean;
  /** Called for each NOTIFY, if the text is a LISTEN. */
  readonly onNotification?: () => void;
}

/**
 * Asks the database one question on its own connection. A busy pool does not show whether the database
 * answers, and a question must not wait in the pool's queue.
 */
export class SideConnection<Row extends pg.QueryResultRow> {
  readonly #question: Question;
  #client: pg.Client | null = null;
  #asking: Promise<readonly Row[]> | null = null;
  #closed = false;

  constructor(question: Question) {
    this.#question = question;
  }

  /**
   * Rejects with a ConnectionError if there is no answer within four seconds. Calls during a question share
   * its answer.
   */
  ask(): Promise<readonly Row[]> {
    this.#asking ??= this.#exchange().finally(() => {
      this.#asking = null;
    });
    return this.#asking;
  }

  /** Rejects the running question and all later ones. */
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

  /** At once: a server that does not answer would not answer the goodbye either. */
  #disconnect(): void {
    this.#client?.connection.stream.destroy();
    this.#client = null;
  }
}

/**
 * The statements that PostgreSQL is running. A process that waits for its client is active too, but just as
 * silent. Statements of other roles are hidden, and all are if `track_activities` is off: such a process can
 * be working. Texts are cut off after about a thousand characters by default.
 */
const underWay = `select pid::text, query from pg_stat_activity
where (state is null or state in ('active', 'disabled')) and wait_event_type is distinct from 'Client'`;

interface Work {
  readonly pid: string;
  readonly query: string | null;
}

/**
 * Asks what PostgreSQL is running, on a new connection each time, because existing connections can be silent.
 */
export class Activity {
  readonly #question: SideConnection<Work>;

  constructor(url: string) {
    this.#question = new SideConnection({ url, name: "kirak activity", text: underWay, keeps: false });
  }

  /**
   * Whether PostgreSQL is working on the statement of a connection; also true if it cannot answer now, for
   * example because it has too many connections. Rejects if there is no answer within four seconds. Behind a
   * pooler, the server process is unknown, so the text of the statement decides; knex queries and COMMIT are
   * then not recognized.
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
