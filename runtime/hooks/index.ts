export type { AnyTypes } from "../models/index.ts";
export type * from "./any-hooks.ts";
export * from "./auth-hooks.ts";
export type {
  AiRun,
  HookMonitoring,
  HookStorage,
  McpCall,
  MutationContext,
  PutFile,
} from "./context/index.ts";
export type * from "./fills.ts";
export * from "./graphql-hooks.ts";
export * from "./model-hooks.ts";
export { type HookScope, hookFault, runHook } from "./run-hook.ts";
