import { createRequire } from "node:module";

/** A prepared statement. Parameters are values for `?`, or one object with values for `@name`. */
export interface Statement<Params extends unknown[] = unknown[], Row = unknown> {
  run(...params: Params): { readonly changes: number | bigint; readonly lastInsertRowid: number | bigint };
  get(...params: Params): Row | undefined;
  all(...params: Params): Row[];
  iterate(...params: Params): IterableIterator<Row>;
  /** Makes the statement return the first column in place of each row. */
  pluck(): this;
}

/** An open SQLite file, with the API of `better-sqlite3`. */
export interface Database {
  readonly name: string;
  prepare<Params extends unknown[] = unknown[], Row = unknown>(sql: string): Statement<Params, Row>;
  /** Returns functions that run the work in a transaction of each kind. */
  transaction<Args extends unknown[], Result>(
    work: (...args: Args) => Result,
  ): Record<"deferred" | "immediate" | "exclusive", (...args: Args) => Result>;
  pragma(text: string, options?: { readonly simple?: boolean }): unknown;
  exec(sql: string): unknown;
  close(): unknown;
}

/** Opens a SQLite file. Statements wait up to `timeout` ms (default 5,000) for locks of other processes. */
type Sqlite = new (path: string, options?: { readonly timeout?: number }) => Database;

/** The used part of `node:sqlite`, which the types of Node.js 20 lack. */
interface DatabaseSync {
  prepare(sql: string): StatementSync;
  exec(sql: string): void;
  close(): void;
}

type NodeRow = Record<string, unknown>;

interface StatementSync {
  run(...params: unknown[]): { readonly changes: number | bigint; readonly lastInsertRowid: number | bigint };
  get(...params: unknown[]): NodeRow | undefined;
  all(...params: unknown[]): NodeRow[];
  iterate(...params: unknown[]): IterableIterator<NodeRow>;
}

const load = createRequire(import.meta.url);

/** An open file of `node:sqlite`, with the API of `better-sqlite3`. */
export class NodeSqlite implements Database {
  readonly name: string;
  readonly #database: DatabaseSync;

  constructor(path: string, { timeout = 5_000 }: { readonly timeout?: number } = {}) {
    const { DatabaseSync }: { DatabaseSync: new (path: string) => DatabaseSync } = load("node:sqlite");
    this.name = path;
    this.#database = new DatabaseSync(path);
    this.#database.exec(`pragma busy_timeout = ${timeout}`);
  }

  /** Whether this Node.js has `node:sqlite`. */
  static isAvailable(): boolean {
    try {
      load("node:sqlite");
      return true;
    } catch {
      return false;
    }
  }

  prepare<Params extends unknown[] = unknown[], Row = unknown>(sql: string): Statement<Params, Row> {
    return new NodeStatement<Params, Row>(this.#database.prepare(sql), sql);
  }

  transaction<Args extends unknown[], Result>(work: (...args: Args) => Result) {
    const begun =
      (how: "deferred" | "immediate" | "exclusive") =>
      (...args: Args): Result => {
        this.#database.exec(`begin ${how}`);
        try {
          const result = work(...args);
          this.#database.exec("commit");
          return result;
        } catch (error) {
          this.#rollback();
          throw error;
        }
      };
    return { deferred: begun("deferred"), immediate: begun("immediate"), exclusive: begun("exclusive") };
  }

  pragma(text: string, { simple = false }: { readonly simple?: boolean } = {}): unknown {
    const statement = this.prepare(`pragma ${text}`);
    return simple ? statement.pluck().get() : statement.all();
  }

  exec(sql: string): void {
    this.#database.exec(sql);
  }

  close(): void {
    this.#database.close();
  }

  #rollback(): void {
    try {
      this.#database.exec("rollback");
    } catch {
      // SQLite has already rolled back, for example because the disk is full.
    }
  }
}

class NodeStatement<Params extends unknown[], Row> implements Statement<Params, Row> {
  readonly #statement: StatementSync;
  /** Names of the `@name` parameters: `node:sqlite` rejects values for other names. */
  readonly #names: readonly string[];
  #isPlucked = false;

  constructor(statement: StatementSync, sql: string) {
    this.#statement = statement;
    this.#names = [...sql.matchAll(/@(\w+)/g)].map(([, name = ""]) => name);
  }

  run(...params: Params) {
    return this.#statement.run(...this.#bound(params));
  }

  get(...params: Params): Row | undefined {
    const row = this.#statement.get(...this.#bound(params));
    return row === undefined ? undefined : this.#read(row);
  }

  all(...params: Params): Row[] {
    return this.#statement.all(...this.#bound(params)).map((row) => this.#read(row));
  }

  *iterate(...params: Params): IterableIterator<Row> {
    for (const row of this.#statement.iterate(...this.#bound(params))) yield this.#read(row);
  }

  pluck(): this {
    this.#isPlucked = true;
    return this;
  }

  #bound(params: Params): unknown[] {
    const [named] = params;
    if (this.#names.length === 0 || typeof named !== "object" || named === null) return params;
    const values = new Map<string, unknown>(Object.entries(named));
    return [Object.fromEntries(this.#names.map((name) => [name, values.get(name)]))];
  }

  #read(row: NodeRow): Row;
  #read(row: NodeRow): unknown {
    for (const [name, value] of Object.entries(row))
      if (value instanceof Uint8Array) row[name] = Buffer.from(value.buffer, value.byteOffset, value.length);
    return this.#isPlucked ? Object.values(row)[0] : row;
  }
}

/** `node:sqlite` of Node.js 22.13 and later, else `better-sqlite3`. Throws if neither can be loaded. */
export function loadSqlite(): Sqlite {
  if (NodeSqlite.isAvailable()) return NodeSqlite;
  const sqlite: Sqlite = load("better-sqlite3");
  return sqlite;
}
