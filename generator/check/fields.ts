import { formOf, isNullable } from "../definition/model-graph.ts";
import { didYouMean, type Report } from "../diagnostics/index.ts";
import type { RawField, RawModel } from "../load/raw.ts";
import type { CheckContext } from "./context.ts";

/** What a type takes. `reference` is a foreign key of whatever type, `collection` a `has_many` or `has_one`. */
type Category =
  | "string"
  | "text"
  | "number"
  | "boolean"
  | "moment"
  | "uuid"
  | "json"
  | "password"
  | "reference"
  | "collection";

const columns: readonly Category[] = [
  "string",
  "text",
  "number",
  "boolean",
  "moment",
  "uuid",
  "json",
  "password",
  "reference",
];
const texts: readonly Category[] = ["string", "text"];
const typed: readonly Category[] = ["string", "text", "password"];
const indexed = columns.filter((category) => category !== "json" && category !== "password");

/** Which options apply to which types; `type` and `description` apply to all. */
const applicable: ReadonlyMap<string, readonly Category[]> = new Map(
  Object.entries({
    required: columns,
    nullable: columns,
    default: columns.filter((category) => category !== "password"),
    enum: [...texts, "number"],
    searchable: texts,
    unique: indexed,
    index: indexed,
    max_length: typed,
    min_length: typed,
    pattern: typed,
    minimum: ["number"],
    maximum: ["number"],
    foreign_key: [...columns],
    renamed_from: columns,
  }),
);

const categories: ReadonlyMap<string, Category> = new Map<string, Category>(
  Object.entries({
    string: "string",
    text: "text",
    email: "text",
    integer: "number",
    float: "number",
    boolean: "boolean",
    datetime: "moment",
    timestamp: "moment",
    date: "moment",
    uuid: "uuid",
    json: "json",
    password: "password",
  } as const),
);

/** Options against types, and whether a row can be filled at all (decisions, part 3). */
export function checkFields({ models, report }: CheckContext): void {
  for (const model of models) {
    for (const field of model.fields) {
      checkType(model, field, report);
      checkOptions(model, field, report);
      checkFillable(model, field, report);
    }
  }
}

function checkType(model: RawModel, field: RawField, report: Report): void {
  // The shape check has reported a type that is no string.
  if (field.keys.has("type") || formOf(field) === "belongs_to") return;
  const hint = 'add a "type", such as "string"';
  const [near] = [...field.keys.keys()].filter((key) => didYouMean(key, ["type"]) !== null);
  if (near === undefined)
    report("missing-field-type", field.at, `field "${field.name}" of model "${model.key}" has no type`, hint);
}

function checkOptions(model: RawModel, field: RawField, report: Report): void {
  const category = categoryOf(field);
  if (category === null) return;
  for (const [option, at] of field.keys) {
    const takes = applicable.get(option);
    if (takes === undefined || takes.includes(category) || isOff(field, option)) continue;
    const type = category === "reference" ? "a foreign key" : `the type "${field.type?.value}"`;
    report(
      "inapplicable-option",
      at,
      `"${option}" of field "${field.name}" of model "${model.key}" does not apply to ${type}`,
    );
  }
}

function categoryOf(field: RawField): Category | null {
  const form = formOf(field);
  if (form === "belongs_to") return "reference";
  if (form !== "column") return "collection";
  return categories.get(field.type?.value ?? "") ?? null;
}

/** An option that is switched off does nothing anywhere. */
function isOff(field: RawField, option: string): boolean {
  const flags = {
    required: field.required,
    searchable: field.searchable,
    unique: field.unique,
    index: field.index,
  };
  if (option === "foreign_key") return field.foreignKey?.value === false;
  return Object.entries(flags).some(([name, value]) => name === option && !value);
}

function checkFillable(model: RawModel, field: RawField, report: Report): void {
  const form = formOf(field);
  if (form === "has_many" || form === "has_one" || field.required || isNullable(field)) return;
  if (field.default !== null && field.default.value !== null) return;
  const subject = `field "${field.name}" of model "${model.key}"`;
  const at = field.keys.get("nullable") ?? field.at;
  report(
    "unfillable-field",
    at,
    `${subject} cannot be null, is not required and has no default`,
    'add "required": true or a "default"',
  );
}
