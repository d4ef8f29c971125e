/** `kirak/rest`: what `routes.ts` is written in. */
export { crud, guard, input, type ModelRoutes, modelRoutes, route } from "../rest/index.ts";
