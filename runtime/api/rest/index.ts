/** REST: the routes of models, and what `routes.ts` of each model uses. */
export { crud, guard } from "../../data/operations/index.ts";
export { input } from "./input.ts";
export { type ModelRoutes, modelRouter, modelRoutes, route } from "./router.ts";
