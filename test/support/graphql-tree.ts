import type { GraphqlScenario, Variables } from "./graphql.ts";
import { tree } from "./graphql-library.ts";

/** A refused document. Where no code is named, a malformed one. */
export const refused = (query: string, fails = "400 VALIDATION_ERROR"): GraphqlScenario => ({ query, fails });

/** A document over the tree of folders, and `data`. */
export const asked = (query: string, data: object, variables?: Variables): GraphqlScenario => ({
  given: tree,
  query,
  data,
  ...(variables !== undefined && { variables }),
});

/** What `{ folders(id: 1) { name } }` answers. */
export const root = { folders: [{ name: "root" }] };

/** What `{ folders(id: 1) { id name } }` answers. */
export const both = { folders: [{ id: 1, name: "root" }] };
