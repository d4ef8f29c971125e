export { Catalogue } from "./plan/catalogue.ts";
export { graphqlRoute } from "./route.ts";
