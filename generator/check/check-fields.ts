import { fieldKinds, foreignKeyOptions, kindOfType } from "../../vocabulary/fields/field-kinds.ts";
import { didYouMean } from "../../vocabulary/nearest.ts";
import type { ReportDiagnostic } from "../diagnostics/index.ts";
import type { RawField, RawModel } from "../load/raw.ts";
import { formOf, hasColumn, isNullable } from "../resolve/model-graph.ts";
import { isGenerated } from "../resolve/resolve-stored.ts";
import type { CheckContext } from "./check-context.ts";

/** Options that apply to some types and not to others. */
const knownOptions = new Set(Object.values(fieldKinds).flatMap(({ options }) => options));

/** Checks types, options that do not apply to a type, and fields that no request can fill in. */
export function checkFields({ models, report }: CheckContext): void {
  for (const model of models) {
    for (const field of model.fields) {
      checkType(model, field, report);
      checkOptions(model, field, report);
      checkFillable(model, field, report);
    }
  }
}

function checkType(model: RawModel, field: RawField, report: ReportDiagnostic): void {
  // The shape check has reported a type that is not a string.
  if (field.keys.has("type") || formOf(field) === "belongs_to") return;
  const hint = 'add a "type", such as "string"';
  const [near] = [...field.keys.keys()].filter((key) => didYouMean(key, ["type"]) !== null);
  if (near === undefined)
    report("missing-field-type", field.at, `field "${field.name}" of model "${model.key}" has no type`, hint);
}

function checkOptions(model: RawModel, field: RawField, report: ReportDiagnostic): void {
  const applicable = optionsOf(field);
  if (applicable === null) return;
  for (const [option, at] of field.keys) {
    if (!knownOptions.has(option) || applicable.includes(option) || isOff(field, option)) continue;
    const type = formOf(field) === "belongs_to" ? "a foreign key" : `the type "${field.type?.value}"`;
    report(
      "inapplicable-option",
      at,
      `"${option}" of field "${field.name}" of model "${model.key}" does not apply to ${type}`,
    );
  }
}

/** The options that apply to a field; null if its type is unknown. Collections have no column, and so no options. */
function optionsOf(field: RawField): readonly string[] | null {
  const form = formOf(field);
  if (form === "belongs_to") return foreignKeyOptions;
  if (form !== "column") return [];
  const kind = kindOfType(field.type?.value ?? "");
  return kind === null ? null : fieldKinds[kind].options;
}

/** Whether an option is switched off, and so has no effect on any type. */
function isOff(field: RawField, option: string): boolean {
  const flags = {
    required: field.required,
    searchable: field.searchable,
    unique: field.unique,
    index: field.index,
    unique_items: field.uniqueItems,
    generated: field.generated,
  };
  if (option === "foreign_key") return field.foreignKey?.value === false;
  return Object.entries(flags).some(([name, value]) => name === option && !value);
}

function checkFillable(model: RawModel, field: RawField, report: ReportDiagnostic): void {
  if (!hasColumn(field) || isNullable(field)) return;
  if (field.default !== null && field.default.value !== null) return;
  if (field.sqlDefault || isGenerated(field) || model.readOnly) return;
  if (model.builtIn) checkAccountField(field, report);
  if (field.required || model.builtIn) return;
  const subject = `field "${field.name}" of model "${model.key}"`;
  const at = field.keys.get("nullable") ?? field.at;
  report(
    "unfillable-field",
    at,
    `${subject} cannot be null, is not required and has no default`,
    field.preset === null
      ? 'add "required": true or a "default"'
      : 'add "required": true, because the preset has no value for some callers',
  );
}

/** Registration, one-time codes and social sign-in create accounts, and set only the built-in columns. */
function checkAccountField(field: RawField, report: ReportDiagnostic): void {
  report(
    "unfillable-field",
    field.keys.get("required") ?? field.keys.get("nullable") ?? field.at,
    `field "${field.name}" of model "users" cannot be null and has no default, so no one could register`,
    'add a "default", or make it nullable',
  );
}
