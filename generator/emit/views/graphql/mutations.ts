import type { ServiceDefinition } from "../../../definition/definition.ts";
import { partsOf } from "./parts.ts";
import type { WritingView } from "./writing.ts";

/** What `templates/graphql-mutations.hbs` and `templates/graphql-inputs.hbs` print: the root fields that write. */
export interface MutationsView {
  readonly imports: null;
  readonly models: readonly WritingView[];
}

/** The view of the mutations, and of their inputs. */
export function mutationsView(definition: ServiceDefinition): MutationsView {
  return { imports: null, models: partsOf(definition).mutations };
}

/** Whether somebody may write anything. */
export function hasMutations(definition: ServiceDefinition): boolean {
  return partsOf(definition).mutations.length > 0;
}
