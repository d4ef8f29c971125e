import { operations } from "./operations.ts";

const hooked = operations.filter((operation) => operation !== "count" && operation !== "exists");

/** Names of the functions that hook files can export, by kind of hook file. */
export const hookNames = {
  model: hooked.flatMap((operation) => [`before_${operation}`, `after_${operation}`] as const),
  auth: [
    "before_register",
    "after_register",
    "after_login",
    "after_social_callback",
    "before_update_account",
    "after_update_account",
    "before_delete_account",
    "after_delete_account",
  ],
  graphql: ["before_graphql", "after_graphql"],
} as const;

/** The name of the export in a model's hook file that lists the required fields that before-hooks fill in. */
export const fillsExport = "fills";

/** The operations that take new records. */
export const creatingOperations = ["create", "upsert"] as const;

export type CreatingOperation = (typeof creatingOperations)[number];

/** The hooks that get new records, and that `fills` can name. */
export const fillingHooks = creatingOperations.map((operation) => `before_${operation}` as const);

export type FillingHook = (typeof fillingHooks)[number];

export type HookOwner = keyof typeof hookNames;
