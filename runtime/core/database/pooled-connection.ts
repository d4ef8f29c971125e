import { Socket } from "node:net";
import pg from "pg";
import { serialize } from "pg-protocol";
import { fieldTypes, parameterTexts } from "./column-values.ts";
import { ConnectionError, isLost, isStale, isTransient } from "./database-error.ts";
import type { Statement, TextRow } from "./queryable.ts";

/**
 * A caller can make endless shapes of queries; a connection that holds this many statements, or this many characters of
 * them, is replaced. With its plan a statement takes the server up to two hundred times its length.
 */
const maxPrepared = 1_000;
const maxPreparedLength = 500_000;

const bindNothing = serialize.bind();
const describe = serialize.describe({ type: "P" });
const execute = serialize.execute();
const executeAndSync = Buffer.concat([execute, serialize.sync()]);

/** What one exchange with the server brought. */
interface Answer {
  readonly rows: TextRow[];
  /** The tag of the last command, such as `COMMIT` or `INSERT 0 1`. */
  readonly tag: string;
}

/** A column as the server describes it. */
type Column = Pick<pg.FieldDef, "name" | "dataTypeID">;

/** Columns as `<table>.<column>`, by the numbers that PostgreSQL describes rows with. */
export type KeyColumns = ReadonlySet<string>;

/** A column of a result, whose type is another one where a field is told from a key. */
type Described = Pick<pg.FieldDef, "tableID" | "columnID"> & { dataTypeID: number };

function markField(field: Described, keys: KeyColumns): void {
  if (field.tableID !== 0 && !keys.has(`${field.tableID}.${field.columnID}`))
    field.dataTypeID = fieldTypes.get(field.dataTypeID) ?? field.dataTypeID;
}

/** A statement with its values as messages, and the name that it is prepared under. */
interface Encoded {
  readonly name: string | null;
  readonly text: string;
  readonly asked: readonly Buffer[];
}

/** What is sent in one exchange. */
interface Batch {
  readonly messages: readonly Buffer[];
  /** Commands in front of the one whose answer is wanted, each with an answer of its own. */
  readonly before: number;
}

/**
 * Sends messages and collects the answer. pg's `Query` asks for a description of the columns each time and makes a value of
 * each text, which is 1.3 times the CPU time of a small statement; and it sends no command together with the next one.
 */
class Exchange implements pg.Submittable, Answer {
  readonly rows: TextRow[] = [];
  tag = "";
  /** Commands in front of the statement that have not been answered yet: their rows are nobody's. */
  #before = 0;
  /** Called when its turn has come: only then is it known what is prepared, and whether a transaction is open. */
  readonly #assemble: () => Batch;
  readonly #resolve: (answer: Answer) => void;
  readonly #reject: (error: Error) => void;

  constructor(assemble: () => Batch, resolve: (answer: Answer) => void, reject: (error: Error) => void) {
    this.#assemble = assemble;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  submit({ stream }: pg.Connection): void {
    // A stream that is closed already is reported by the client's own end event.
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

  /** Comes where a statement asked for it alone. */
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

/** Whether statements are sent with their names, which all connections of a pool share. */
export interface Prepares {
  /** False for a pooler that gives each transaction another server process, and knows no names. */
  readonly named: boolean;
  /** Called when such a pooler lost a statement. */
  readonly onLost: () => void;
}

/** One connection to the server, and which statements it has prepared. */
export class PooledConnection {
  readonly client: pg.Client;
  /** A command that each transaction begins with, where a pooler keeps no settings from one to the next; else null. */
  opening: string | null = null;
  /** The server process that answers, by its own word; a pooler names one that is not there. */
  processId: string | null = null;
  /** The statement that was sent last; empty before the first one. */
  text = "";
  /** Set when the connection must not be used again. */
  broken = false;
  /** Set when the server may hold so many statements for this connection, or such long ones, that it should end. */
  crowded = false;
  /** Set while rows that are described tell `bigint` fields from keys. */
  keys: KeyColumns | null = null;
  /** The last error after which another attempt may succeed; a transaction that takes the connection clears it. */
  transient: Error | null = null;
  /** Names that were sent to be prepared. `unsure`: it failed, and the server may have the statement or not. */
  readonly #prepared = new Map<string, "sent" | "ready" | "unsure">();
  /** Characters of the statements that were sent to be prepared. */
  #preparedLength = 0;
  readonly #prepares: Prepares;
  /** Bytes that had been sent when the server was last ready. What was sent since has no answer yet, knex's queries too. */
  #sentWhenReady = 0;
  /** When the server was last ready, in milliseconds of `performance.now()`. */
  #readyAt = 0;

  constructor(client: pg.Client, prepares: Prepares) {
    this.client = client;
    this.#prepares = prepares;
    client.connection.on("backendKeyData", ({ processID }: { readonly processID: number }) => {
      this.processId = String(processID);
    });
    // Before the client itself hears of it and chooses what reads the columns.
    client.connection.on("rowDescription", ({ fields }: { readonly fields: readonly Described[] }) => {
      if (this.keys !== null) for (const field of fields) markField(field, this.keys);
    });
    // Before the client itself hears of it and sends its next query.
    client.connection.on("readyForQuery", () => {
      this.#sentWhenReady = this.socket.bytesWritten;
      this.#readyAt = performance.now();
    });
  }

  /** What connects to the server. It is another one before and after encryption was agreed on. */
  get socket(): Socket {
    const { stream } = this.client.connection;
    if (stream instanceof Socket) return stream;
    throw new Error("a connection to PostgreSQL is a socket");
  }

  /** Whether an answer of the server is to come. */
  get isWaiting(): boolean {
    return this.socket.bytesWritten > this.#sentWhenReady;
  }

  /** Whether the server was ready within that many milliseconds. */
  wasReadyWithin(ms: number): boolean {
    return performance.now() - this.#readyAt <= ms;
  }

  /**
   * Runs one statement, and in the same round trip before it the commands that wait in `pending`, which it empties.
   * Where the values cannot be encoded nothing is sent and `pending` stays.
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

  /** Runs commands without parameters in one round trip. Gives the tag of the last one. */
  command(...commands: readonly string[]): Promise<string> {
    const batch = () => ({ messages: [serialize.query(this.#opened(commands).join(";"))], before: 0 });
    return this.#exchange(batch, null, ({ tag }) => tag);
  }

  /** The commands with that of the opening, where they begin a transaction. Alone, a statement is one as well. */
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

  /** Remembers what an error says of the connection and of its statement. */
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
