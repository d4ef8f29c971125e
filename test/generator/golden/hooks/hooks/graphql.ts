import type { GraphqlHooks } from "kirak";

export const after_graphql: GraphqlHooks["after_graphql"] = (result) => {
  result.message = "Done";
};
