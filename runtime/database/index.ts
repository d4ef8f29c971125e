export * from "./database.ts";
export * from "./migrations/operations.ts";
