/** The database of code of one's own: `context.db` and `context.sql`, built on the operations (decisions, part 13). */
export { makeAppDatabase } from "./app-database.ts";
export type { AppDatabaseSource } from "./call-mode.ts";
