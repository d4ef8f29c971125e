import pg from "pg";
import pino, { type Logger } from "pino";
import { expect, onTestFinished } from "vitest";
import { readCatalog } from "#runtime/migrations/catalog/index";
import { defineMigration } from "#runtime/migrations/runner/index";
import type { CatalogTable } from "#vocabulary/migrations/catalog";
import type { Column, Migration, Step } from "#vocabulary/migrations/migration-steps";
import { type TestDatabase, testDatabase } from "../../../support/database.ts";

export const id: Column = { name: "id", type: "bigint", nullable: false, default: "identity" };

/** A migration of the service itself. */
export const accounts = defineMigration({
  name: "kirak_0001_accounts",
  parent: null,
  up: [{ step: "create_table", table: "users", columns: [id] }],
  down: [],
});

/** What the tests of online migrations work on: two tables with a few rows. */
// biome-ignore format: many a line
export const base = defineMigration({
  name: "0001_base", parent: null,
  up: [
    { step: "create_table", table: "authors", columns: [id] },
    {
      step: "create_table", table: "books",
      columns: [
        id, { name: "isbn", type: "varchar(20)", nullable: true },
        { name: "status", type: "text", nullable: false, default: { literal: "draft" } },
        { name: "author_id", type: "bigint", nullable: true },
      ],
    },
  ],
  down: [{ step: "drop_table", table: "books" }, { step: "drop_table", table: "authors" }],
});

const rows = `
  INSERT INTO authors DEFAULT VALUES; INSERT INTO authors DEFAULT VALUES;
  INSERT INTO books (isbn, author_id) VALUES ('a', 1), ('b', 2), ('c', NULL)`;

/** A database with the tables and rows. */
export async function shelf(): Promise<TestDatabase> {
  const database = await testDatabase([base]);
  await database.query(rows);
  return database;
}

export const note: Step = {
  step: "add_column",
  table: "books",
  column: { name: "note", type: "text", nullable: true },
};
export const uniqueIsbn = {
  step: "add_index",
  table: "books",
  index: { name: "books_isbn_key", columns: ["isbn"], unique: true, live: false },
} as const satisfies Step;
export const knownStatus = {
  step: "add_check",
  table: "books",
  check: { name: "books_status_check", column: "status", oneOf: ["draft", "sold"] },
} as const satisfies Step;
/** A check of a model: a row with an author is not a draft. */
export const authoredBooks = {
  step: "add_check",
  table: "books",
  check: {
    name: "books_01_authored_check",
    condition: {
      op: "or",
      conditions: [
        { op: "is_null", field: "author_id" },
        { op: "ne", field: "status", value: "draft" },
      ],
    },
  },
} as const satisfies Step;
export const bookAuthor = {
  step: "add_foreign_key",
  table: "books",
  foreignKey: {
    name: "books_author_id_fkey",
    column: "author_id",
    references: { table: "authors", column: "id" },
    onDelete: "restrict",
  },
} as const satisfies Step;
export const requiredIsbn = {
  step: "set_nullable",
  table: "books",
  column: "isbn",
  nullable: false,
} as const satisfies Step;

/** The migration that follows the first. */
export function second(up: readonly Step[], down: readonly Step[] = []): Migration {
  return { name: "0002_second", parent: base.name, up, down };
}

/** Everything that can be prepared, and steps that cannot. */
// biome-ignore format: one case a line
export const everything = second(
  [
    { step: "drop_column", table: "books", column: "status" },
    { step: "rename_column", table: "books", column: "isbn", to: "code" },
    { step: "create_table", table: "shops", columns: [id] },
    { step: "add_column", table: "books", column: { name: "shop_id", type: "bigint", nullable: true } },
    { ...requiredIsbn, column: "code" },
    { ...uniqueIsbn, index: { ...uniqueIsbn.index, columns: ["code"] } },
    bookAuthor,
    { ...bookAuthor,
      foreignKey: { ...bookAuthor.foreignKey, name: "books_shop_id_fkey", column: "shop_id", references: { table: "shops", column: "id" } } },
  ],
  [],
);

/** A connection of its own. */
export async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client(url);
  client.on("error", () => {});
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

/** All tables but Kirak's own. */
export async function catalogOf(url: string): Promise<CatalogTable[]> {
  const client = new pg.Client(url);
  await client.connect();
  const tables = await readCatalog(client, "public");
  await client.end();
  return tables.filter(({ name }) => !name.startsWith("kirak_"));
}

export interface Lines {
  readonly log: Logger;
  /** Waits for a line. */
  until(line: RegExp): Promise<void>;
  matching(line: RegExp): string[];
}

/** A log to look at. */
export function lines(): Lines {
  const written: string[] = [];
  const log = pino({ level: "info" }, { write: (line) => written.push(JSON.parse(line).msg) });
  const matching = (line: RegExp) => written.filter((text) => line.test(text));
  return {
    log,
    matching,
    until: (line) =>
      expect.poll(() => matching(line).length, { timeout: 15_000, interval: 10 }).toBeGreaterThan(0),
  };
}
