/** `kirak/rest`, for `routes.ts`. */
export { crud, guard, input, type ModelRoutes, modelRoutes, route } from "../api/rest/index.ts";
