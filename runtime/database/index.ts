export * from "./database.ts";
export * from "./embedded/embedded.ts";
export { EmbeddedError } from "./embedded/embedded-error.ts";
export * from "./migrations/operations.ts";
