export { type CallableRoute, callableRoutes } from "./callable-routes.ts";
export { customRoutes } from "./custom-routes.ts";
export { type CustomRoute, defineRoute } from "./define-route.ts";
