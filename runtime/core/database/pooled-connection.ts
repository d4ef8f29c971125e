import { Socket } from "node:net";
import pg from "pg";
import { serialize } from "pg-protocol";
import { fieldTypes, parameterTexts } from "./column-values.ts";
import { ConnectionError, isLost, isStale, isTransient } from "./database-error.ts";
import type { Statement, TextRow } from "./queryable.ts";

/**
 * Query shapes are not limited, so a connection with too many or too long prepared statements is replaced. In
 * the server, a statement and its plan take up to 200 times its length.
 */
const maxPrepared = 1_000;
const maxPreparedLength = 500_000;

const bindNothing = serialize.bind();
const describe = serialize.describe({ type: "P" });
const execute = serialize.execute();
const executeAndSync = Buffer.concat([execute, serialize.sync()]);

/** The response to one exchange. */
interface Answer {
  readonly rows: TextRow[];
  /** The tag of the last command: `COMMIT`, `INSERT 0 1`. */
  readonly tag: string;
}

/** A column as the server describes it. */
type Column = Pick<pg.FieldDef, "name" | "dataTypeID">;

/** Columns as `<table>.<column>`, by their numbers in PostgreSQL. */
export type KeyColumns = ReadonlySet<string>;

/** A result column whose type id can be replaced, so that `bigint` fields differ from keys. */
type Described = Pick<pg.FieldDef, "tableID" | "columnID"> & { dataTypeID: number };

function markField(field: Described, keys: KeyColumns): void {
  if (field.tableID !== 0 && !keys.has(`${field.tableID}.${field.columnID}`))
    field.dataTypeID = fieldTypes.get(field.dataTypeID) ?? field.dataTypeID;
}

/** A statement with its values as messages. */
interface Encoded {
  readonly name: string | null;
  readonly text: string;
  readonly asked: readonly Buffer[];
}

interface Batch {
  readonly messages: readonly Buffer[];
  /** The number of commands before the statement. */
  readonly before: number;
}

/**
 * Sends messages and collects the response. pg's `Query` takes 1.3 times the CPU time for a small statement:
 * it requests the columns each time and converts each text. It cannot send commands together with a
 * statement.
 */
class Exchange implements pg.Submittable, Answer {
  readonly rows: TextRow[] = [];
  tag = "";
  /** Unanswered commands before the statement; their rows are dropped. */
  #before = 0;
  /**
   * Called when the exchange is sent. Only then it is known which statements are prepared, and whether a
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
    // The client's end event reports a closed stream.
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

  /** Only for statements with `described`. */
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

/** Whether statements have names; shared by all connections of a pool. */
export interface Prepares {
  /** False for a pooler without support for named statements. */
  readonly named: boolean;
  /** Called when a pooler lost a statement. */
  readonly onLost: () => void;
}

/** One connection to the server and its prepared statements. */
export class PooledConnection {
  readonly client: pg.Client;
  /** The settings to set in each transaction, because a pooler keeps none. Null without a pooler. */
  opening: string | null = null;
  /** The process id that the server reports. A pooler reports one that does not exist. */
  processId: string | null = null;
  /** The text of the last statement. */
  text = "";
  /** The connection must not be used again. */
  broken = false;
  /** The server holds too many or too long statements for this connection, so it must be replaced. */
  crowded = false;
  /** Set if result columns must distinguish `bigint` fields from keys. */
  keys: KeyColumns | null = null;
  /** The last transient error. A transaction that takes the connection clears it. */
  transient: Error | null = null;
  /**
   * Prepared statements by name. `unsure`: preparing failed, and the server may have the statement or not.
   */
  readonly #prepared = new Map<string, "sent" | "ready" | "unsure">();
  /** In characters. */
  #preparedLength = 0;
  readonly #prepares: Prepares;
  /** Bytes sent when the server was last ready. Later bytes are unanswered, knex queries included. */
  #sentWhenReady = 0;
  /** In milliseconds of `performance.now()`. */
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

  /** Encryption replaces it. */
  get socket(): Socket {
    const { stream } = this.client.connection;
    if (stream instanceof Socket) return stream;
    throw new Error("the connection to PostgreSQL is not a socket");
  }

  get isWaiting(): boolean {
    return this.socket.bytesWritten > this.#sentWhenReady;
  }

  wasReadyWithin(ms: number): boolean {
    return performance.now() - this.#readyAt <= ms;
  }

  /**
   * Runs one statement. The commands in `pending` are removed and sent before it, in the same round trip. If
   * the values cannot be encoded, nothing is sent and `pending` stays.
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
      ({ rows, tag }) => {
        if (statement.described === true) rows.unshift([tag]);
        return rows;
      },
    );
  }

  #encoded({ name: given, text, described }: Statement, values: readonly unknown[]): Encoded {
    const name = this.#prepares.named ? given : null;
    const bound = serialize.bind({ statement: name ?? "", values: parameterTexts(values) });
    return { name, text, asked: described === true ? [bound, describe] : [bound] };
  }

  /** Runs commands in one round trip. Returns the tag of the last one. */
  command(...commands: readonly string[]): Promise<string> {
    const batch = () => ({ messages: [serialize.query(this.#opened(commands).join(";"))], before: 0 });
    return this.#exchange(batch, null, ({ tag }) => tag);
  }

  /** Adds the opening command if a transaction begins here. A single statement is a transaction too. */
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

  /** Updates the state of the connection and its statement after an error. */
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
