export { readerOf } from "./column-values.ts";
export { createDatabase, type DatabaseOptions } from "./database.ts";
export {
  classifyDatabaseError,
  type DatabaseFailure,
  isTransient,
  unheldPlace,
  unheldSetting,
  unseenSetting,
} from "./database-error.ts";
export { type ExpiredRows, removeExpiredRows } from "./expired-rows.ts";
export type * from "./queryable.ts";
export { SideConnection } from "./side-connection.ts";
export { tracedDatabase } from "./traced-database.ts";
