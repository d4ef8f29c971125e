/** What code of one's own is given beside its value: its types, and how it is put together. It runs nothing by itself. */
export { absentModules } from "./absent-modules.ts";
export { CodeCalls } from "./code-calls.ts";
export * from "./code-context.ts";
export type * from "./code-database.ts";
export type * from "./code-jobs.ts";
export type * from "./code-mail.ts";
export { extend } from "./extend.ts";
export { noneUnderWay, withinHook } from "./hook-chain.ts";
export type * from "./job-payload.ts";
export type * from "./job-types.ts";
export type * from "./monitoring-context.ts";
export type * from "./register.ts";
export type * from "./row-contexts.ts";
export type { CodeSchema } from "./schema-keywords.ts";
export type * from "./schema-type.ts";
export type * from "./storage-context.ts";
export { thrownByCode } from "./thrown-by-code.ts";
export { withCalls } from "./with-calls.ts";
