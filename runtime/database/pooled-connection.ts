import { Socket } from "node:net";
import pg from "pg";
import { ConnectionError } from "./connection-error.ts";
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

/** What is sent in one exchange. */
interface Messages {
  readonly bytes: Buffer;
  /** Commands in front of the one whose answer is wanted, each with an answer of its own. */
  readonly before: number;
}

/**
 * Sends ready-made messages and collects the answer. It takes the place of pg's `Query`, from which it differs in that
 * it asks for no description of the columns and hands on each row as it came: half of the CPU time of small queries.
 */
class Exchange implements pg.Submittable, Answer {
  readonly rows: TextRow[] = [];
  tag = "";
  /** Commands in front of the statement that have not been answered yet: their rows are nobody's. */
  private before = 0;
  /** Called when its turn has come: only then is it known what is prepared, and whether a transaction is open. */
  private readonly assemble: () => Messages;
  private readonly resolve: (answer: Answer) => void;
  private readonly reject: (error: Error) => void;

  constructor(assemble: () => Messages, resolve: (answer: Answer) => void, reject: (error: Error) => void) {
    this.assemble = assemble;
    this.resolve = resolve;
    this.reject = reject;
  }

  submit(connection: pg.Connection): void {
    // A stream that is closed already is reported by the client's own end event.
    if (!connection.stream.writable) return;
    const { bytes, before } = this.assemble();
    this.before = before;
    connection.stream.write(bytes);
  }

  handleDataRow(message: { readonly fields: TextRow }): void {
    if (this.before === 0) this.rows.push(message.fields);
  }

  handleCommandComplete(message: { readonly text: string }): void {
    if (this.before > 0) this.before--;
    else this.tag = message.text;
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
  /** The last error after which another attempt may succeed; whoever takes the session clears it. */
  transient: Error | null = null;
  /** Names that were sent to be prepared. `unsure`: it failed, and the server may have the statement or not. */
  private readonly prepared = new Map<string, "sent" | "ready" | "unsure">();
  /** Characters of the statements that were sent to be prepared. */
  private preparedLength = 0;
  private readonly prepares: Prepares;
  /** Bytes that had been sent when the server was last ready. What was sent since has no answer yet, knex's queries too. */
  private sentWhenReady = 0;
  /** When the server was last ready, in milliseconds of `performance.now()`. */
  private readyAt = 0;

  constructor(client: pg.Client, prepares: Prepares) {
    this.client = client;
    this.prepares = prepares;
    client.connection.on("backendKeyData", ({ processID }: { readonly processID: number }) => {
      this.processId = String(processID);
    });
    // Before the client itself hears of it and sends its next query.
    client.connection.on("readyForQuery", () => {
      this.sentWhenReady = this.socket.bytesWritten;
      this.readyAt = performance.now();
    });
  }

  /** What connects to the server. It is another one before and after encryption was agreed on. */
  get socket(): Socket {
    const { stream } = this.client.connection;
    if (stream instanceof Socket) return stream;
    throw new Error("a connection to PostgreSQL is a socket");
  }

  /** Whether the server may hold so many statements for this connection, or such long ones, that it should end. */
  get isCrowded(): boolean {
    return this.prepared.size > maxPrepared || this.preparedLength > maxPreparedLength;
  }

  /** Whether an answer of the server is to come. */
  get isWaiting(): boolean {
    return this.socket.bytesWritten > this.sentWhenReady;
  }

  /** Whether the server was ready within that many milliseconds. */
  wasReadyWithin(ms: number): boolean {
    return performance.now() - this.readyAt <= ms;
  }

  /**
   * Runs one statement, and in the same round trip before it the commands that wait in `pending`, which it empties.
   * Where the values cannot be encoded nothing is sent and `pending` stays.
   */
  async run(statement: Statement, values: readonly unknown[], pending: string[] = []): Promise<TextRow[]> {
    const name = this.prepares.named ? statement.name : null;
    const bound = wire.bindAndExecute(name ?? "", values);
    const before = pending.length === 0 ? pending : pending.splice(0);
    this.text = statement.text;
    const assemble = () => this.assemble(name, statement.text, bound, this.opened(before));
    return (await this.exchange(assemble, name)).rows;
  }

  /** Runs commands without parameters in one round trip. Gives the tag of the last one. */
  async command(...commands: readonly string[]): Promise<string> {
    const assemble = () => ({ bytes: wire.query(this.opened(commands).join(";")), before: 0 });
    return (await this.exchange(assemble, null)).tag;
  }

  /** The commands with that of the opening, where they begin a transaction. Alone, a statement is one as well. */
  private opened(commands: readonly string[]): readonly string[] {
    if (this.opening === null || this.client.getTransactionStatus() !== "I") return commands;
    const [first, ...rest] = commands;
    return first === "BEGIN" ? [first, this.opening, ...rest] : [this.opening, ...commands];
  }

  private assemble(name: string | null, text: string, bound: Buffer, commands: readonly string[]): Messages {
    const before = commands.length;
    const state = name === null ? undefined : this.prepared.get(name);
    if (state === "ready" && before === 0) return { bytes: Buffer.concat([bound, wire.sync]), before };
    const messages = commands.flatMap((command) => [wire.parse("", command), wire.bindAndExecute("", [])]);
    if (name === null) messages.push(wire.parse("", text));
    else if (state !== "ready") {
      if (state === "unsure") messages.push(wire.close(name));
      else this.preparedLength += text.length;
      messages.push(wire.parse(name, text));
      this.prepared.set(name, "sent");
    }
    messages.push(bound, wire.sync);
    return { bytes: Buffer.concat(messages), before };
  }

  private exchange(assemble: () => Messages, name: string | null): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const succeed = (answer: Answer) => {
        if (name !== null && this.prepared.get(name) === "sent") this.prepared.set(name, "ready");
        resolve(answer);
      };
      const fail = (error: Error) => reject(this.note(error, name));
      this.client.query(new Exchange(assemble, succeed, fail));
    });
  }

  /** Remembers what an error says of the session and of its statement. */
  private note(error: Error, name: string | null): Error {
    if (!(error instanceof pg.DatabaseError)) {
      this.broken = true;
      return error instanceof ConnectionError ? error : new ConnectionError(error);
    }
    if (name !== null && (this.prepared.get(name) === "sent" || isStale(error)))
      this.prepared.set(name, "unsure");
    if (this.opening !== null && isLost(error)) this.prepares.onLost();
    if (isTransient(error)) this.transient = error;
    if (error.severity === "FATAL" || error.severity === "PANIC") this.broken = true;
    return error;
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
  return isLost(error);
}

/** Whether the server process at the other end is not the one that was asked to prepare the statement. */
function isLost(error: pg.DatabaseError): boolean {
  return error.code === "26000" || error.code === "42P05";
}
