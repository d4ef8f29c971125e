import type { ModelDefinition, ServiceDefinition } from "#generator/definition/definition";
import { type AccessCell, outcomes } from "./access-report.ts";
import { declaredOperations } from "./model-access.ts";

/** The app without models of tables that another tool made, and without models that refer to those. */
export function withNativeModels(definition: ServiceDefinition): ServiceDefinition {
  let models = definition.models.filter((model) => model.builtIn || isNative(model));
  for (let count = -1; count !== models.length; ) {
    count = models.length;
    const keys = new Set(models.map(({ key }) => key));
    models = models.filter(
      ({ builtIn, relations }) => builtIn || relations.every(({ model }) => keys.has(model)),
    );
  }
  return { ...definition, models };
}

function isNative({ schemaName, idType, readOnly, columns, fields }: ModelDefinition): boolean {
  const hasTimes = columns.id !== null && columns.created_at !== null && columns.updated_at !== null;
  const isDescribed = Object.values(columns).some((column) => column?.described === true);
  const asNamed = fields.every(
    ({ name, column, dbType, generated, sqlDefault }) =>
      column === name && dbType === null && !generated && !sqlDefault,
  );
  const madeHere = schemaName === null && !readOnly && (idType === "integer" || idType === "uuid");
  return madeHere && hasTimes && !isDescribed && asNamed;
}

/** One cell for each operation of a model that is not asked about. */
export function cellsNotTried(model: ModelDefinition): AccessCell[] {
  return declaredOperations(model).map((operation) => ({
    model: model.key,
    operation,
    caller: "all",
    front: "rest",
    rows: "all",
    outcome: outcomes.notTried,
    reason: "its table, or one that it refers to, was made by another tool",
  }));
}
