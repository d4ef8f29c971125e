/** The database access of app code: `context.db` and `context.sql`, built on the operations. */
export { makeAppDatabase } from "./app-database.ts";
export type { AppDatabaseSource } from "./call-mode.ts";
