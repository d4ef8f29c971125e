import { parsedAggregateKey } from "../../vocabulary/graphql-aggregates.ts";
import { aggregateArguments } from "../../vocabulary/graphql-arguments.ts";
import { searchParameters } from "../../vocabulary/list-parameters.ts";
import type { Report } from "../diagnostics/index.ts";
import type { RawModel } from "../load/raw.ts";
import { hasColumn } from "../resolve/model-graph.ts";
import type { CheckContext } from "./check-context.ts";

/** Fields that hide behind reserved parameters, or have the name of a result (decisions, part 6). */
export function checkGeneratedNames({ models, report }: CheckContext): void {
  for (const model of models) checkFields(model, report);
}

function checkFields(model: RawModel, report: Report): void {
  const names = new Set(model.fields.map((field) => field.name));
  for (const field of model.fields.filter(hasColumn)) {
    const subject = `field "${field.name}" of model "${model.key}"`;
    const hint = hiddenHint(field.name);
    if (hint !== null)
      report("hidden-field", field.at, `${subject} hides behind the parameter of that name`, hint);
    const aggregated = parsedAggregateKey(field.name)?.field;
    if (field.name === "count" || (aggregated !== undefined && names.has(aggregated))) {
      report(
        "ambiguous-aggregate",
        field.at,
        `${subject} has the name of a key that aggregates answer`,
        "an aggregate that groups by it cannot answer both",
      );
    }
  }
}

/** What to do about a name that a list reserves; null for others. */
function hiddenHint(name: string): string | null {
  const inGraphql = aggregateArguments.has(name);
  if (searchParameters.has(name)) {
    const graphql = inGraphql ? "; GraphQL lists cannot be filtered by it" : "";
    return `rename it, or write ${name}__in for it in query strings${graphql}`;
  }
  return inGraphql ? "rename it, or filter by it over REST: GraphQL lists cannot" : null;
}
