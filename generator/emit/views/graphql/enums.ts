import { fieldEnumType } from "../../../../vocabulary/graphql-names.ts";
import type { ModelDefinition } from "../../../definition/definition.ts";
import { enumValues, readableColumns, writableColumns } from "./columns.ts";

/** The values of one field. */
export interface EnumView {
  readonly name: string;
  readonly values: readonly string[];
}

/** The enums of a model's fields, those that nobody reads or writes excepted. */
export function enumViews(model: ModelDefinition): EnumView[] {
  const used = new Set([...readableColumns(model), ...writableColumns(model)].map(({ name }) => name));
  return model.fields.flatMap((field) => {
    const values = used.has(field.name) ? enumValues(field) : null;
    return values === null ? [] : [{ name: fieldEnumType(model.typeName, field.name), values }];
  });
}
