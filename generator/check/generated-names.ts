import { hasColumn } from "../definition/model-graph.ts";
import type { Report } from "../diagnostics/index.ts";
import type { RawModel } from "../load/raw.ts";
import type { CheckContext } from "./context.ts";

const reservedParameters: ReadonlySet<string> = new Set([
  "limit",
  "page",
  "offset",
  "order_by",
  "order",
  "select_fields",
  "search_term",
  "orderBy",
  "search",
  "groupBy",
  "group_by",
]);

/** Names that meet those which GraphQL generates, or hide behind reserved parameters (decisions, part 6). */
export function checkGeneratedNames({ models, report }: CheckContext): void {
  const keys = new Set(models.filter(({ builtIn }) => builtIn === null).map((model) => model.key));
  for (const model of models) {
    const base = /^(.+)_aggregate$/.exec(model.key)?.[1];
    if (base !== undefined && keys.has(base)) {
      const message = `model key "${model.key}" is the name of the aggregates of model "${base}"`;
      report("generated-name-collision", model.at, message, "choose another key");
    }
    checkFields(model, report);
  }
}

function checkFields(model: RawModel, report: Report): void {
  const names = new Set(model.fields.map((field) => field.name));
  for (const field of model.fields.filter(hasColumn)) {
    const subject = `field "${field.name}" of model "${model.key}"`;
    if (reservedParameters.has(field.name)) {
      const hint = `in query strings write ${field.name}__in for it, or rename it`;
      report("hidden-field", field.at, `${subject} hides behind the parameter of that name`, hint);
    }
    const aggregated = /^(?:sum|avg|min|max)_(.+)$/.exec(field.name)?.[1];
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
