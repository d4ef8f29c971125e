/** A prepared statement. Parameters are values, or one object with those that the text names `@name`. */
export interface Statement<Params extends unknown[] = unknown[], Row = unknown> {
  run(...params: Params): { readonly changes: number | bigint; readonly lastInsertRowid: number | bigint };
  get(...params: Params): Row | undefined;
  all(...params: Params): Row[];
  iterate(...params: Params): IterableIterator<Row>;
  /** The same, with the first column in place of each row. */
  pluck(): this;
}

/** A file of SQLite, open, as `better-sqlite3` has it. */
export interface Database {
  readonly name: string;
  prepare<Params extends unknown[] = unknown[], Row = unknown>(sql: string): Statement<Params, Row>;
  /** What runs the work in a transaction, which begins in one of these ways. */
  transaction<Args extends unknown[], Result>(
    work: (...args: Args) => Result,
  ): Record<"deferred" | "immediate" | "exclusive", (...args: Args) => Result>;
  pragma(text: string, options?: { readonly simple?: boolean }): unknown;
  exec(sql: string): unknown;
  close(): unknown;
}

/** Opens files of SQLite. Another process can hold the file for `timeout` milliseconds (default 5,000). */
export type Sqlite = new (path: string, options?: { readonly timeout?: number }) => Database;
