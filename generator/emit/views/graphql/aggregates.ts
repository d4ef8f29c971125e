import type { ServiceDefinition } from "../../../definition/definition.ts";
import type { AggregateView } from "./aggregate.ts";
import { partsOf } from "./parts.ts";

/** What `templates/graphql-aggregates.hbs` prints: the types of aggregates. */
export interface AggregatesView {
  readonly imports: null;
  readonly aggregates: readonly AggregateView[];
}

/** The view of the types of aggregates. */
export function aggregatesView(definition: ServiceDefinition): AggregatesView {
  return { imports: null, aggregates: partsOf(definition).aggregates };
}
