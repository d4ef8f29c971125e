export * from "./users-model.ts";
