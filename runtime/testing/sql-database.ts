import type pg from "pg";
import { connectAdministrator } from "./administer.ts";
import type { TestDatabase } from "./test-service.ts";

/** A way to a database by SQL, over one connection that the first statement makes. */
export function sqlDatabase(url: string): TestDatabase & { close(): Promise<void> } {
  let connecting: Promise<pg.Client> | null = null;
  return {
    url,
    async query<Row>(text: string, values?: readonly unknown[]): Promise<Row[]> {
      connecting ??= connectAdministrator(url);
      const client = await connecting;
      const result = await client.query<Row & pg.QueryResultRow>(text, values && [...values]);
      // Several statements have a result each.
      return [result].flat().at(-1)?.rows ?? [];
    },
    async close() {
      await (await connecting)?.end();
    },
  };
}
