import pg from "pg";
import * as wire from "./wire.ts";

/** One prepared statement: its text, a name that stays the same for the same text, or null for one that is not worth preparing. */
export interface Statement {
  readonly name: string | null;
  readonly text: string;
}

/**
 * A caller can make endless shapes of queries; a connection that holds this many statements, or this many characters of
 * them, is replaced. With its plan a statement takes the server up to two hundred times its length.
 */
const maxPrepared = 1_000;
const maxPreparedLength = 500_000;

/** Rows as PostgreSQL's own text, column by column; null for NULL. */
export type TextRow = readonly (string | null)[];

/** What one exchange with the server brought. */
export interface Answer {
  readonly rows: TextRow[];
  /** The tag of the last command, such as `COMMIT` or `INSERT 0 1`. */
  readonly tag: string;
}

/**
 * Sends ready-made messages and collects the answer. It takes the place of pg's `Query`, from which it differs in that
 * it asks for no description of the columns and hands on each row as it came: half of the CPU time of small queries.
 */
class Exchange implements pg.Submittable, Answer {
  readonly rows: TextRow[] = [];
  tag = "";
  /** Called when its turn has come: only then is it known which statements are prepared. */
  private readonly assemble: () => Buffer;
  private readonly resolve: (answer: Answer) => void;
  private readonly reject: (error: Error) => void;

  constructor(assemble: () => Buffer, resolve: (answer: Answer) => void, reject: (error: Error) => void) {
    this.assemble = assemble;
    this.resolve = resolve;
    this.reject = reject;
  }

  submit(connection: pg.Connection): void {
    // A stream that is closed already is reported by the client's own end event.
    if (connection.stream.writable) connection.stream.write(this.assemble());
  }

  handleDataRow(message: { readonly fields: TextRow }): void {
    this.rows.push(message.fields);
  }

  handleCommandComplete(message: { readonly text: string }): void {
    this.tag = message.text;
  }

  handleReadyForQuery(): void {
    this.resolve(this);
  }

  handleError(error: Error): void {
    this.reject(error);
  }

  handleRowDescription(): void {}
  handleEmptyQuery(): void {}
  handlePortalSuspended(): void {}
  handleCopyData(): void {}

  handleCopyInResponse(connection: { sendCopyFail(message: string): void }): void {
    connection.sendCopyFail("COPY is not supported here");
  }
}

/** One connection to the server, and which statements it has prepared. */
export class Session {
  readonly client: pg.Client;
  /** Set when the connection must not be used again. */
  broken = false;
  /** The last error after which another attempt may succeed; whoever takes the session clears it. */
  transient: Error | null = null;
  /** Names that were sent to be prepared. `unsure`: it failed, and the server may have the statement or not. */
  private readonly prepared = new Map<string, "sent" | "ready" | "unsure">();
  /** Characters of the statements that were sent to be prepared. */
  private preparedLength = 0;
  /** Exchanges without an answer yet. */
  private waiting = 0;

  constructor(client: pg.Client) {
    this.client = client;
  }

  /** Whether the server may hold so many statements for this connection, or such long ones, that it should end. */
  get isCrowded(): boolean {
    return this.prepared.size > maxPrepared || this.preparedLength > maxPreparedLength;
  }

  /** Whether an answer of the server is to come. */
  get isWaiting(): boolean {
    return this.waiting > 0;
  }

  /**
   * Runs one statement, and in the same round trip before it the commands that wait in `pending`, which it empties.
   * Where the values cannot be encoded nothing is sent and `pending` stays.
   */
  async run(statement: Statement, values: readonly unknown[], pending: string[] = []): Promise<TextRow[]> {
    const bound = wire.bindAndExecute(statement.name ?? "", values);
    const before = pending.length === 0 ? pending : pending.splice(0);
    const answer = await this.exchange(() => this.assemble(statement, bound, before), statement.name);
    return answer.rows;
  }

  /** Runs commands without parameters in one round trip. Gives the tag of the last one. */
  async command(text: string): Promise<string> {
    return (await this.exchange(() => wire.query(text), null)).tag;
  }

  private assemble({ name, text }: Statement, bound: Buffer, before: readonly string[]): Buffer {
    const state = name === null ? undefined : this.prepared.get(name);
    if (state === "ready" && before.length === 0) return Buffer.concat([bound, wire.sync]);
    const messages = before.flatMap((command) => [wire.parse("", command), wire.bindAndExecute("", [])]);
    if (name === null) messages.push(wire.parse("", text));
    else if (state !== "ready") {
      if (state === "unsure") messages.push(wire.close(name));
      else this.preparedLength += text.length;
      messages.push(wire.parse(name, text));
      this.prepared.set(name, "sent");
    }
    messages.push(bound, wire.sync);
    return Buffer.concat(messages);
  }

  private exchange(assemble: () => Buffer, name: string | null): Promise<Answer> {
    this.waiting++;
    return new Promise((resolve, reject) => {
      const succeed = (answer: Answer) => {
        this.waiting--;
        if (name !== null && this.prepared.get(name) === "sent") this.prepared.set(name, "ready");
        resolve(answer);
      };
      const fail = (error: Error) => {
        this.waiting--;
        reject(this.note(error, name));
      };
      this.client.query(new Exchange(assemble, succeed, fail));
    });
  }

  /** Remembers what an error says of the session and of its statement. */
  private note(error: Error, name: string | null): Error {
    if (!(error instanceof pg.DatabaseError)) {
      this.broken = true;
      return new ConnectionError(error);
    }
    if (name !== null && (this.prepared.get(name) === "sent" || isStale(error)))
      this.prepared.set(name, "unsure");
    if (isTransient(error)) this.transient = error;
    if (error.severity === "FATAL" || error.severity === "PANIC") this.broken = true;
    return error;
  }
}

/** No connection to the database, or none any more. */
export class ConnectionError extends Error {
  override readonly name = "ConnectionError";

  constructor(cause: Error) {
    super(cause.message, { cause });
  }
}

/** Serialization failure, deadlock, or a statement that must be prepared anew: another attempt may succeed. */
export function isTransient(error: unknown): error is pg.DatabaseError {
  return (
    error instanceof pg.DatabaseError && (error.code === "40001" || error.code === "40P01" || isStale(error))
  );
}

/** Whether the server no longer has the statement as it was prepared: after a migration, or behind a connection pooler. */
function isStale(error: pg.DatabaseError): boolean {
  if (error.code === "0A000") return error.routine === "RevalidateCachedQuery";
  return error.code === "26000" || error.code === "42P05";
}
