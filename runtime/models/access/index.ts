export * from "./code-view.ts";
export * from "./condition-literals.ts";
export * from "./field-gate.ts";
export * from "./policy.ts";
export * from "./principal.ts";
export * from "./role-view.ts";
export * from "./roles.ts";
