export type * from "./any-hooks.ts";
export * from "./auth-hooks.ts";
export * from "./graphql-hooks.ts";
export * from "./model-hooks.ts";
export type * from "./monitoring-context.ts";
export { noMonitoring } from "./no-monitoring.ts";
export { noStorage } from "./no-storage.ts";
export {
  type HookModules,
  type HookOrigin,
  type HookScope,
  hookContext,
  hookFault,
  mutationContext,
  runHook,
} from "./run-hook.ts";
export type * from "./storage-context.ts";
