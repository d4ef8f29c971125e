export { Catalogue } from "./plan/catalogue.ts";
export { chooseForm } from "./response-form.ts";
export { graphqlRoute } from "./route.ts";
