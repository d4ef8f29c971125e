export { readerOf } from "./column-values.ts";
export { createDatabase, type DatabaseOptions, tracedDatabase } from "./database.ts";
export {
  classifyDatabaseError,
  type DatabaseFailure,
  isTransient,
  unseenSetting,
  unsupportedPlace,
  unsupportedSetting,
} from "./database-error.ts";
export { SideConnection } from "./liveness.ts";
export * from "./queryable.ts";
export {
  isSupportedDate,
  isSupportedNumber,
  isSupportedTime,
  isSupportedTimestamp,
} from "./supported-values.ts";
