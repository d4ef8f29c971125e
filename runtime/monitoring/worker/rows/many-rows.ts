import type { Database, Statement } from "../database/sqlite.ts";

/** What a column may be given. */
export type Value = Buffer | string | number | null;

/** Rows of one statement. More of them save nothing more; what is left over of a batch is written row by row. */
export const rowsAtOnce = 25;

/** Inserts rows into one table, many by one statement: half of what a row costs alone is the call. */
export class ManyRows {
  readonly #many: Statement<Value[]>;
  readonly #one: Statement<Value[]>;
  readonly #width: number;

  constructor(database: Database, table: string, columns: readonly string[]) {
    const row = `(${columns.map(() => "?").join(", ")})`;
    const insert = `insert into ${table} (${columns.join(", ")}) values`;
    this.#many = database.prepare(`${insert} ${Array.from({ length: rowsAtOnce }, () => row).join(", ")}`);
    this.#one = database.prepare(`${insert} ${row}`);
    this.#width = columns.length;
  }

  /** Values of one row after the other. Answers the id of the last; 0 where there is none. In a transaction they follow each other. */
  insert(values: readonly Value[]): number {
    const width = this.#width;
    const many = rowsAtOnce * width;
    let last = 0;
    let begin = 0;
    for (; begin + many <= values.length; begin += many) {
      last = lastIdOf(this.#many, values.slice(begin, begin + many));
    }
    for (; begin < values.length; begin += width) {
      last = lastIdOf(this.#one, values.slice(begin, begin + width));
    }
    return last;
  }
}

function lastIdOf(statement: Statement<Value[]>, values: readonly Value[]): number {
  return Number(statement.run(...values).lastInsertRowid);
}
