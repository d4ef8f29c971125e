/** The context of app code. It runs no code itself. */
export * from "./app-context.ts";
export { AppCalls, withCalls } from "./context-calls.ts";
export type * from "./database-types.ts";
export type * from "./module-contexts.ts";
export type { AppSchema, ObjectSchema, PayloadSchema, SchemaInput, SchemaType } from "./schema-type.ts";
