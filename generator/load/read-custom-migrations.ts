import { basename } from "node:path";
import { type SqlClass, type SqlMigration, sqlClasses } from "../../vocabulary/migrations/sql-migration.ts";
import type { InputFile } from "./files.ts";
import { argumentOf, defaultExport, NotData, readCode } from "./read-code.ts";

/** A file of `models/migrations/`. */
export interface CustomMigration {
  /** `0007_add_trigram`, the name of its file. */
  readonly name: string;
  /** Relative to the project. */
  readonly file: string;
  readonly class: SqlClass;
  /** Null if it could not be read as data. */
  readonly sql: SqlMigration | null;
  /** Why it could not be read. */
  readonly problem: { readonly message: string; readonly offset: number } | null;
}

/** Reads custom SQL as data, without running it. */
export function readCustomMigrations(inputs: readonly InputFile[]): CustomMigration[] {
  return inputs.map(({ file, text, problem }) => {
    const place = { name: basename(file, ".ts"), file };
    if (text === null) return { ...place, ...unread(problem ?? "cannot be read", 0) };
    try {
      const code = readCode(file, text);
      const sql: unknown = argumentOf(defaultExport(code), code);
      return { ...place, ...(isSqlMigration(sql) ? readAs(sql) : unread(shapeMessage(sql), 0)) };
    } catch (error) {
      if (!(error instanceof NotData)) throw error;
      return { ...place, ...unread(error.message, error.offset) };
    }
  });
}

type Content = Pick<CustomMigration, "class" | "sql" | "problem">;

function readAs(sql: SqlMigration): Content {
  return { class: sql.class, sql, problem: null };
}

function unread(message: string, offset: number): Content {
  return { class: "additive", sql: null, problem: { message, offset } };
}

function shapeMessage(data: unknown): string {
  if (data === undefined) return "exports no migration: export default defineSqlMigration({ … })";
  return `is not a migration: its keys are class (${sqlClasses.join(", ")}), up and down (a string or a list of strings), transaction, batches`;
}

const keys: ReadonlySet<string> = new Set(["class", "up", "down", "transaction", "batches"]);

function isSqlMigration(data: unknown): data is SqlMigration {
  if (typeof data !== "object" || data === null) return false;
  const part = (key: string): unknown => Reflect.get(data, key);
  return (
    Object.keys(data).every((key) => keys.has(key)) &&
    sqlClasses.some((name) => name === part("class")) &&
    [part("up"), part("down")].every((texts) => texts === undefined || isTexts(texts)) &&
    ["undefined", "boolean"].includes(typeof part("transaction")) &&
    (part("batches") === undefined || isList(part("batches"), isBatches))
  );
}

function isTexts(value: unknown): boolean {
  return isText(value) || isList(value, isText);
}

function isText(value: unknown): boolean {
  return typeof value === "string";
}

function isBatches(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return (
    isText(Reflect.get(value, "table")) &&
    typeof Reflect.get(value, "size") === "number" &&
    isText(Reflect.get(value, "sql"))
  );
}

function isList(value: unknown, isElement: (element: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isElement);
}
