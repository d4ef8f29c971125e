export * from "./mask.ts";
