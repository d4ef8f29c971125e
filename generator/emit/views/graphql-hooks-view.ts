import type { HooksDefinition } from "../../definition/definition.ts";
import type { Import } from "../file.ts";

/** What the GraphQL endpoint works with: a property as `templates/index.hbs` prints it, `hooks: {}`. */
export interface GraphqlView {
  readonly hooks: string;
}

interface Graphql {
  readonly view: GraphqlView;
  /** The hook file, which stands before the other imports. */
  readonly first: readonly Import[];
  /** What comes from the door `kirak/hooks`. */
  readonly names: readonly string[];
}

/** The GraphQL hooks of `index.ts`. */
export function graphqlOf(hooks: HooksDefinition | null, nameOf: (candidate: string) => string): Graphql {
  if (hooks === null) return { view: { hooks: "hooks: {}" }, first: [], names: [] };
  const name = nameOf("graphqlHooks");
  return {
    view: { hooks: `hooks: defineGraphqlHooks(${name})` },
    first: [{ from: hooks.file, namespace: name }],
    names: ["defineGraphqlHooks"],
  };
}
