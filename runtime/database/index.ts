export * from "./database.ts";
export * from "./database-error.ts";
export { type ExpiredRows, removeExpiredRows } from "./expired-rows.ts";
export type * from "./queryable.ts";
