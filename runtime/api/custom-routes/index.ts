export { defineRoute, type OwnRoute } from "./define-route.ts";
export { ownRoutes } from "./own-routes.ts";
