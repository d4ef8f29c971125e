import { Socket } from "node:net";
import pg from "pg";
import { serialize } from "pg-protocol";
import { fieldTypes, parameterTexts } from "./column-values.ts";
import { ConnectionError, isLost, isStale, isTransient } from "./database-error.ts";
import type { Statement, TextRow } from "./queryable.ts";

/**
 * Callers can make any number of query shapes. A connection with this many statements, or this many characters
 * of them, is replaced. A statement and its plan take up to two hundred times its length in the server.
 */
const maxPrepared = 1_000;
const maxPreparedLength = 500_000;

const bindNothing = serialize.bind();
const describe = serialize.describe({ type: "P" });
const execute = serialize.execute();
const executeAndSync = Buffer.concat([execute, serialize.sync()]);

/** The result of one query exchange with the server. */
interface Answer {
  readonly rows: TextRow[];
  /** The tag of the last command, such as `COMMIT` or `INSERT 0 1`. */
  readonly tag: string;
}

/** A column as the server describes it. */
type Column = Pick<pg.FieldDef, "name" | "dataTypeID">;

/** Columns as `<table>.<column>`, by the numbers that PostgreSQL describes rows with. */
export type KeyColumns = ReadonlySet<string>;

/** A column of a result whose type is replaced, so that fields differ from keys. */
type Described = Pick<pg.FieldDef, "tableID" | "columnID"> & { dataTypeID: number };

function markField(field: Described, keys: KeyColumns): void {
  if (field.tableID !== 0 && !keys.has(`${field.tableID}.${field.columnID}`))
    field.dataTypeID = fieldTypes.get(field.dataTypeID) ?? field.dataTypeID;
}

/** A statement with its values as messages, and its prepared name. */
interface Encoded {
  readonly name: string | null;
  readonly text: string;
  readonly asked: readonly Buffer[];
}

/** The messages of one exchange. */
interface Batch {
  readonly messages: readonly Buffer[];
  /** How many commands precede the statement, each with its own answer. */
  readonly before: number;
}

/**
 * Sends messages and collects the answer. pg's `Query` asks for a description of the columns each time and
 * converts each text, which takes 1.3 times the CPU time of a small statement. It also cannot send commands
 * together with the next statement.
 */
class Exchange implements pg.Submittable, Answer {
  readonly rows: TextRow[] = [];
  tag = "";
  /** Commands before the statement that are not answered yet; their rows are dropped. */
  #before = 0;
  /**
   * Called when the exchange is sent. Only then is it known which statements are prepared and whether a
   * transaction is open.
   */
  readonly #assemble: () => Batch;
  readonly #resolve: (answer: Answer) => void;
  readonly #reject: (error: Error) => void;

  constructor(assemble: () => Batch, resolve: (answer: Answer) => void, reject: (error: Error) => void) {
    this.#assemble = assemble;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  submit({ stream }: pg.Connection): void {
    // The client's own end event reports a closed stream.
    if (!stream.writable) return;
    const { messages, before } = this.#assemble();
    this.#before = before;
    stream.write(Buffer.concat(messages));
  }

  handleDataRow(message: { readonly fields: TextRow }): void {
    if (this.#before === 0) this.rows.push(message.fields);
  }

  handleCommandComplete(message: { readonly text: string }): void {
    if (this.#before === 0) this.tag = message.text;
    else this.#before--;
  }

  handleReadyForQuery(): void {
    this.#resolve(this);
  }

  handleError(error: Error): void {
    this.#reject(error);
  }

  /** Sent only if the statement asked for it. */
  handleRowDescription({ fields }: { readonly fields: readonly Column[] }): void {
    this.rows.push(
      fields.map(({ name }) => name),
      fields.map(({ dataTypeID }) => String(Math.abs(dataTypeID))),
    );
  }
  handleEmptyQuery(): void {}
  handlePortalSuspended(): void {}
  handleCopyData(): void {}

  handleCopyInResponse({ stream }: pg.Connection): void {
    stream.write(serialize.copyFail("COPY is not supported here"));
  }
}

/** Whether statements are sent with names. All connections of a pool share it. */
export interface Prepares {
  /** False for a pooler that uses another server process for each transaction and does not support names. */
  readonly named: boolean;
  /** Called when a pooler lost a statement. */
  readonly onLost: () => void;
}

/** One connection to the server and its prepared statements. */
export class PooledConnection {
  readonly client: pg.Client;
  /** A command that starts each transaction if a pooler keeps no settings between transactions; else null. */
  opening: string | null = null;
  /** The id of the server process, as the server reports it; a pooler reports one that does not exist. */
  processId: string | null = null;
  /** The last statement; empty before the first one. */
  text = "";
  /** Set when the connection must not be used again. */
  broken = false;
  /**
   * Set if the server may hold too many statements for this connection, or too long ones: then the connection
   * is replaced.
   */
  crowded = false;
  /** Set while described rows must distinguish `bigint` fields from keys. */
  keys: KeyColumns | null = null;
  /**
   * The last error after which another attempt can succeed. A transaction that takes the connection clears it.
   */
  transient: Error | null = null;
  /**
   * Names of statements that were sent to be prepared. `unsure`: preparing failed, and the server may have
   * the statement or not.
   */
  readonly #prepared = new Map<string, "sent" | "ready" | "unsure">();
  /** Total length of the statements that were sent to be prepared. */
  #preparedLength = 0;
  readonly #prepares: Prepares;
  /** Bytes sent when the server was last ready. Everything after that is unanswered, knex queries included. */
  #sentWhenReady = 0;
  /** When the server was last ready, in milliseconds of `performance.now()`. */
  #readyAt = 0;

  constructor(client: pg.Client, prepares: Prepares) {
    this.client = client;
    this.#prepares = prepares;
    client.connection.on("backendKeyData", ({ processID }: { readonly processID: number }) => {
      this.processId = String(processID);
    });
    // Runs before the client's own listener, which chooses the readers of the columns.
    client.connection.on("rowDescription", ({ fields }: { readonly fields: readonly Described[] }) => {
      if (this.keys !== null) for (const field of fields) markField(field, this.keys);
    });
    // Runs before the client's own listener, which sends the next query.
    client.connection.on("readyForQuery", () => {
      this.#sentWhenReady = this.socket.bytesWritten;
      this.#readyAt = performance.now();
    });
  }

  /** The stream of the connection. Encryption replaces it. */
  get socket(): Socket {
    const { stream } = this.client.connection;
    if (stream instanceof Socket) return stream;
    throw new Error("a connection to PostgreSQL is a socket");
  }

  /** Whether the connection waits for an answer. */
  get isWaiting(): boolean {
    return this.socket.bytesWritten > this.#sentWhenReady;
  }

  /** Whether the server was ready within the last `ms` milliseconds. */
  wasReadyWithin(ms: number): boolean {
    return performance.now() - this.#readyAt <= ms;
  }

  /**
   * Runs one statement. The commands in `pending` are sent before it in the same round trip, and `pending` is
   * emptied. If the values cannot be encoded, nothing is sent and `pending` stays.
   */
  run(statement: Statement, values: readonly unknown[], pending: string[] = []): Promise<TextRow[]> {
    let sent: Encoded;
    try {
      sent = this.#encoded(statement, values);
    } catch (error) {
      return Promise.reject(error);
    }
    const before = pending.splice(0);
    this.text = statement.text;
    return this.#exchange(
      () => this.#batch(sent, before),
      sent.name,
      ({ rows }) => rows,
    );
  }

  #encoded({ name: given, text, described }: Statement, values: readonly unknown[]): Encoded {
    const name = this.#prepares.named ? given : null;
    const bound = serialize.bind({ statement: name ?? "", values: parameterTexts(values) });
    return { name, text, asked: described === true ? [bound, describe] : [bound] };
  }

  /** Runs commands without parameters in one round trip. Returns the tag of the last one. */
  command(...commands: readonly string[]): Promise<string> {
    const batch = () => ({ messages: [serialize.query(this.#opened(commands).join(";"))], before: 0 });
    return this.#exchange(batch, null, ({ tag }) => tag);
  }

  /** Adds the opening command if the commands begin a transaction. A single statement is a transaction too. */
  #opened(commands: readonly string[]): readonly string[] {
    if (this.opening === null || this.client.getTransactionStatus() !== "I") return commands;
    const [first, ...rest] = commands;
    return first === "begin" ? [first, this.opening, ...rest] : [this.opening, ...commands];
  }

  #batch(sent: Encoded, pending: readonly string[]): Batch {
    const commands = this.#opened(pending);
    const messages = commands.flatMap((command) => [
      serialize.parse({ text: command }),
      bindNothing,
      execute,
    ]);
    messages.push(...this.#preparing(sent), ...sent.asked, executeAndSync);
    return { messages, before: commands.length };
  }

  #preparing({ name, text }: Encoded): Buffer[] {
    if (name === null) return [serialize.parse({ text })];
    return this.#prepared.get(name) === "ready" ? [] : this.#prepare(name, text);
  }

  #prepare(name: string, text: string): Buffer[] {
    const isUnsure = this.#prepared.get(name) === "unsure";
    if (!isUnsure) this.#preparedLength += text.length;
    this.#prepared.set(name, "sent");
    this.crowded = this.#prepared.size > maxPrepared || this.#preparedLength > maxPreparedLength;
    const prepare = serialize.parse({ name, text });
    return isUnsure ? [serialize.close({ type: "S", name }), prepare] : [prepare];
  }

  #exchange<Result>(
    batch: () => Batch,
    name: string | null,
    resultOf: (answer: Answer) => Result,
  ): Promise<Result> {
    return new Promise((resolve, reject) => {
      const succeed = (answer: Answer) => {
        if (name !== null && this.#prepared.get(name) === "sent") this.#prepared.set(name, "ready");
        resolve(resultOf(answer));
      };
      this.client.query(new Exchange(batch, succeed, (error) => reject(this.#note(error, name))));
    });
  }

  /** Remembers what an error means for the connection and its statement. */
  #note(error: Error, name: string | null): Error {
    if (!(error instanceof pg.DatabaseError)) {
      this.broken = true;
      return error instanceof ConnectionError ? error : new ConnectionError(error);
    }
    if (name !== null && (this.#prepared.get(name) === "sent" || isStale(error)))
      this.#prepared.set(name, "unsure");
    if (this.opening !== null && isLost(error)) this.#prepares.onLost();
    if (isTransient(error)) this.transient = error;
    if (error.severity === "FATAL" || error.severity === "PANIC") this.broken = true;
    return error;
  }
}
