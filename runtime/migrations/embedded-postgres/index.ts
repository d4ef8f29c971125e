export { findBinaries } from "./binaries.ts";
export * from "./embedded.ts";
export { EmbeddedError } from "./embedded-error.ts";
