/** The page at `/`, outside production: what this service has, for whoever has just started it. */
export { overviewPage, type ShownPlace, type ShownService } from "./overview-page.ts";
export { overviewRoute } from "./overview-route.ts";
