import { setImmediate, setTimeout } from "node:timers/promises";
import pg from "pg";
import { ConnectionError, closedError, NoAnswerError } from "./database-error.ts";
import type { PooledConnection } from "./pooled-connection.ts";

interface SilenceOptions {
  /** Longest time in milliseconds without a word of the server where an answer is to come. */
  readonly answerTimeoutMs: number;
  /** Whether the server still works on what it was asked; null where nothing that it does may take so long. */
  readonly isWorking: ((connection: PooledConnection) => Promise<boolean>) | null;
  /** Longest time in milliseconds that it may say so: by then PostgreSQL has cancelled the statement. */
  readonly longestWorkMs: number;
  /** Called when the connection was given up. */
  readonly onSilent: () => void;
}

/**
 * Gives a connection up once the server has been silent on it for too long (decisions, part 1). One that a firewall forgot
 * would else be waited for until TCP gives up, a quarter of an hour later. A statement that the server is working on is
 * no silence: half-way through the time it is asked, on another connection.
 */
export function endWhenSilent(
  connection: PooledConnection,
  { answerTimeoutMs, isWorking, longestWorkMs, onSilent }: SilenceOptions,
): void {
  const { socket } = connection;
  const quietMs = isWorking === null ? answerTimeoutMs : answerTimeoutMs / 2;
  /** What had been heard when silence was noticed first, and when that was. */
  let silence = { heard: -1, since: 0 };
  const look = async () => {
    if (!connection.isWaiting) return;
    const heard = socket.bytesRead;
    if (silence.heard !== heard) silence = { heard, since: performance.now() };
    const isAtWork = isWorking !== null && (await answeredWithin(isWorking(connection), quietMs));
    // What a busy process has not come to read is no silence either.
    await setImmediate();
    if (!connection.isWaiting || socket.bytesRead !== heard) return;
    if (isAtWork && performance.now() - silence.since < longestWorkMs) return void socket.setTimeout(quietMs);
    socket.destroy(new NoAnswerError("the database does not answer"));
    onSilent();
  };
  socket.setTimeout(quietMs).on("timeout", () => void look());
}

/** What a question was answered, no sooner than after the given time. No answer by then is a no. */
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

/**
 * What PostgreSQL works on. A process that waits for its client is active too, and is just as silent. What another role does is
 * not told, nor anything where `track_activities` is off: that may be work. Texts are cut off, by default behind some thousand
 * characters.
 */
const underWay = `select pid::text, query from pg_stat_activity
where (state is null or state in ('active', 'disabled')) and wait_event_type is distinct from 'Client'`;

interface Work {
  readonly pid: string;
  readonly query: string | null;
}

/** Asks what PostgreSQL is doing, each time on a new connection: those that there are may have gone silent. */
export class Activity {
  readonly #question: SideConnection<Work>;

  constructor(url: string) {
    this.#question = new SideConnection({ url, name: "kirak activity", text: underWay, keeps: false });
  }

  /**
   * Whether PostgreSQL works on what it was asked on a connection; also where it says that it cannot tell now, such as that it
   * has too many connections. Rejects when there is no answer within four seconds. Behind a pooler nobody knows which server
   * process that is: there the text of the statement tells, and knex's queries and the end of a transaction are not known.
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
