import type { GraphqlHooks } from "../../runtime/index.ts";

export const after_graphql: GraphqlHooks["after_graphql"] = (result) => {
  result.message = "Done";
};
