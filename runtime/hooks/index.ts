export type { AnyTypes } from "../models/index.ts";
export * from "./auth-hooks.ts";
export type {
  AiRun,
  HookMonitoring,
  HookStorage,
  McpCall,
  MutationContext,
  PutFile,
} from "./context/index.ts";
export * from "./model-hooks.ts";
