import type { ModelDefinition, ServiceDefinition } from "#generator/definition/definition";
import { type AccessCell, outcomes } from "./access-report.ts";
import { declaredOperations, isReading } from "./model-access.ts";

/** The app without views, which migrations do not make, and without models that refer to views. */
export function withoutViews(definition: ServiceDefinition): ServiceDefinition {
  let models = definition.models.filter(({ view }) => !view);
  for (let count = -1; count !== models.length; ) {
    count = models.length;
    const keys = new Set(models.map(({ key }) => key));
    models = models.filter(({ relations }) => relations.every(({ model }) => keys.has(model)));
  }
  return { ...definition, models };
}

/** One cell for each operation of a model that is not asked about. */
export function cellsNotTried(model: ModelDefinition): AccessCell[] {
  const operations = declaredOperations(model).filter((ruled) => !model.readOnly || isReading(ruled));
  return operations.map((operation) => ({
    model: model.key,
    operation,
    caller: "all",
    front: "rest",
    rows: "all",
    outcome: outcomes.notTried,
    reason: `${model.view ? "it is a view" : "it refers to a view"}, which migrations do not make`,
  }));
}
