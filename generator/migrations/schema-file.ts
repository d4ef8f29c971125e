import { parsedJson } from "../output/lock-file.ts";
import { withoutUsers, withUsers } from "./built-in-users-table.ts";
import type { Snapshot } from "./schema.ts";
import { isSnapshot } from "./snapshot-shape.ts";

/** What a text of `migrations/schema.json` holds, with what the service itself has of `users`; null where it cannot be read. */
export function readSchema(text: string | null | undefined): Snapshot | null {
  const data: unknown = parsedJson(text ?? "");
  return isSnapshot(data) ? { ...data, tables: withUsers(data.tables) } : null;
}

/** The text of `migrations/schema.json`: the tables of the app, and what it adds to `users`. */
export function printSchema({ migration, tables }: Snapshot): string {
  return `${JSON.stringify({ migration, tables: withoutUsers(tables) }, null, 2)}\n`;
}
