import { operations } from "./operations.ts";

const hooked = operations.filter((operation) => operation !== "count" && operation !== "exists");

/** Names of the functions that hook files may export, by what runs them (contract: "Events"). */
export const hookNames = {
  model: hooked.flatMap((operation) => [`before_${operation}`, `after_${operation}`] as const),
  auth: ["before_register", "after_register", "after_login", "after_social_callback"],
  graphql: ["before_graphql", "after_graphql"],
} as const;

export type HookOwner = keyof typeof hookNames;
