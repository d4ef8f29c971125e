/** The routes of models, and everything that their `routes.ts` uses. */
export { crud, guard } from "../../data/operations/index.ts";
export { input } from "./input.ts";
export { type ModelRoutes, modelRouter, modelRoutes, route } from "./router.ts";
