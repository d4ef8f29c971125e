export type * from "./any-hooks.ts";
export * from "./auth-hooks.ts";
export * from "./graphql-hooks.ts";
export { hookContext, mutationContext } from "./hook-context.ts";
export * from "./model-hooks.ts";
export { hookFault, runHook } from "./run-hook.ts";
