import type { Database } from "../../core/database/index.ts";
import { CommandError } from "../index.ts";

/** Refuses a database without the tables of this version. */
export async function requireTables(database: Database): Promise<void> {
  const [row] = await database.run({ name: null, text: "select to_regclass('auth_sessions')" }, []);
  if (row?.[0] == null)
    throw new CommandError("the database lacks tables of this version: run npm run migrate first");
}
