import type { ServiceDefinition } from "../../../definition/definition.ts";
import { visible } from "../../literal.ts";

/** What `templates/graphql-head.hbs` prints: where the schema comes from, and its scalars. */
export interface HeadView {
  readonly imports: null;
  readonly source: string;
}

/** The view of the beginning of `graphql/schema.graphql`. */
export function headView({ source }: ServiceDefinition): HeadView {
  return { imports: null, source: visible(source) };
}
