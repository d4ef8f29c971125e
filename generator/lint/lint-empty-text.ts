import type { Operation } from "../../vocabulary/operations.ts";
import type { FieldDefinition } from "../definition/definition.ts";
import { isAdminLike } from "./lint-callers.ts";
import type { LintContext, LintedModel } from "./lint-context.ts";

const writes: readonly Operation[] = ["create", "update", "upsert"];

/** Required texts that callers other than administrators write, and for which `""` is a value. */
export function lintEmptyText({ models, report }: LintContext): void {
  for (const model of models) {
    if (!model.rules.some(({ operation, role }) => writes.includes(operation) && !isAdminLike(role.value)))
      continue;
    const names = model.definition.fields
      .filter((field) => takesEmptyText(field) && isWritable(model, field))
      .map(({ name }) => JSON.stringify(name));
    if (names.length === 0) continue;
    const message = `required texts of model "${model.definition.key}" can be empty: ${names.join(", ")}`;
    report("empty-text", model.node.raw.at, message, `"min_length": 1 refuses ""`);
  }
}

function takesEmptyText(field: FieldDefinition): boolean {
  const { required, kind, items, enum: allowed, minLength, pattern } = field;
  const isText = kind === "string" || kind === "text";
  return required && isText && items === null && allowed === null && minLength === null && pattern === null;
}

function isWritable({ definition }: LintedModel, { name }: FieldDefinition): boolean {
  return definition.access.fields.find(({ field }) => field === name)?.write?.length !== 0;
}
