export { readerOf } from "./column-values.ts";
export { createDatabase, type DatabaseOptions, tracedDatabase } from "./database.ts";
export {
  classifyDatabaseError,
  type DatabaseFailure,
  isTransient,
  unheldPlace,
  unheldSetting,
  unseenSetting,
} from "./database-error.ts";
export { isHeldDate, isHeldNumber, isHeldTime, isHeldTimestamp } from "./held-values.ts";
export { SideConnection } from "./liveness.ts";
export * from "./queryable.ts";
