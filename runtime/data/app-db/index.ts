/** The database of code of one's own: `context.db` and `context.sql`, built on the operations (decisions, part 13). */
export type { CodeApplication } from "./code-application.ts";
export { databaseForCode } from "./database-for-code.ts";
