export { crud } from "../operations/index.ts";
export { input } from "./input.ts";
export * from "./model-routes.ts";
export { guard, route } from "./route.ts";
export { modelRouter } from "./router.ts";
