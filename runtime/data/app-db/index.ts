/** The database of code of one's own: `context.db` and `context.sql`, built on the operations (decisions, part 13). */
export { databaseForCode } from "./app-database.ts";
export type { CodeApplication } from "./call-mode.ts";
