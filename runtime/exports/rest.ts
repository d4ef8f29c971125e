/** `kirak/rest`: what `routes.ts` is written in. */
export { crud, guard, input, type ModelRoutes, modelRoutes, route } from "../api/rest/index.ts";
