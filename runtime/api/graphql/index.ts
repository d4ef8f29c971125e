export { graphqlRoute, loadEndpoint } from "./graphql-route.ts";
export { ModelRegistry } from "./plan/model-registry.ts";
export type { RootRequest } from "./plan/root-requests.ts";
export { chooseForm, RootFailure } from "./response.ts";
