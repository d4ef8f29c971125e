export { graphqlRoute } from "./graphql-route.ts";
export { Catalogue } from "./plan/model-registry.ts";
export { chooseForm } from "./response-form.ts";
