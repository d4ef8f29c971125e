export { ownRoutes } from "./custom-routes.ts";
export { defineRoute, type OwnRoute } from "./define-route.ts";
