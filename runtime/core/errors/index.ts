export * from "./service-error.ts";
