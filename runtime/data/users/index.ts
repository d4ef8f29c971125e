export * from "./users-model.ts";
export * from "./users-policy.ts";
export { extendUsersValidators } from "./users-validators.ts";
