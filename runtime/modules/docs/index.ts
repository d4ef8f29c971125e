/** The OpenAPI document of the service, and the pages for developers that show it. */
export { graphiqlPage, referencePage } from "./docs-pages.ts";
export { documentRoute } from "./document-route.ts";
