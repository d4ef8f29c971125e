/** What code of one's own is given beside its value: its types, and how it is put together. It runs nothing by itself. */
export * from "./app-context.ts";
export { AppCalls, withCalls } from "./context-calls.ts";
export type * from "./database-types.ts";
export type * from "./module-contexts.ts";
export type { AppSchema, ObjectSchema, SchemaType } from "./schema-type.ts";
