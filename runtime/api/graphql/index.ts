export { graphqlRoute, loadEndpoint } from "./graphql-route.ts";
export { ModelRegistry } from "./plan/model-registry.ts";
export { chooseForm } from "./response.ts";
