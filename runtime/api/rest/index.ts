/** REST: routes of models over the operations, and what `routes.ts` of each model is made of. */
export { crud, guard } from "../../data/operations/index.ts";
export { input } from "./input.ts";
export { type ModelRoutes, modelRouter, modelRoutes, route } from "./router.ts";
