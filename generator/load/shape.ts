import { Ajv, type DefinedError, type ValidateFunction } from "ajv";
import { didYouMean } from "../../vocabulary/nearest.ts";
import { secretSettings } from "../../vocabulary/social/provider-settings.ts";
import { secretHint } from "../../vocabulary/social/providers.ts";
import type { DiagnosticCode, ReportDiagnostic, SourceSpan } from "../diagnostics/index.ts";
import { type JsonNode, plainValue } from "./json-tree.ts";
import { typeHint } from "./read-field.ts";

/** The kind of a JSON file: models, manifest, acknowledged access or custom errors. */
export type ShapedFile = "models" | "manifest" | "acknowledged" | "errors";

/** The names of the files in messages. */
export const documentNames: Readonly<Record<ShapedFile, string>> = {
  models: "the models file",
  manifest: "the manifest",
  acknowledged: "the acknowledged access",
  errors: "the errors file",
};

/** The name of a path in messages: `"type" of field "body" of model "posts"`. */
export function subjectOfPath(document: ShapedFile, path: readonly string[]): string {
  if (path.length === 0) return documentNames[document];
  if (document === "acknowledged" && path.length === 2) return `the reason of "${path[1]}"`;
  if (document === "errors") return within(path.slice(1), `error "${path[0]}"`);
  return document === "models" ? modelsSubject(path) : within(path, documentNames[document]);
}

function modelsSubject([model, section, name, ...rest]: readonly string[]): string {
  if (model === "$conditions")
    return section === undefined
      ? '"$conditions" of the models file'
      : within(name === undefined ? [] : [name, ...rest], `condition "${section}"`);
  const ofModel = `model "${model}"`;
  if (section === undefined) return ofModel;
  if (name === undefined) return `"${section}" of ${ofModel}`;
  if (section === "schema" || section === "fields") return within(rest, `field "${name}" of ${ofModel}`);
  if (section === "access" && name === "fields") {
    const [field, ...gate] = rest;
    return field === undefined
      ? `"access.fields" of ${ofModel}`
      : within(gate, `the access of field "${field}" of ${ofModel}`);
  }
  if (section === "access") return within(rest, `the access to "${name}" of ${ofModel}`);
  return within([name, ...rest], `"${section}" of ${ofModel}`);
}

function within(path: readonly string[], whole: string): string {
  const names = path.filter((step) => !/^\d+$/.test(step));
  if (path.length === 0) return whole;
  const named = names.length === 0 ? whole : `"${names.join(".")}" of ${whole}`;
  // An index at the end is an item. An index in between is left out.
  return /^\d+$/.test(path.at(-1) ?? "") ? `an item of ${named}` : named;
}

/** A violation of the JSON Schema, in words. */
export interface ShapeProblem {
  readonly code: DiagnosticCode;
  readonly path: readonly string[];
  /** Whether the message points to the key or to the value at the path. */
  readonly at: "key" | "value";
  readonly message: string;
  readonly hint: string | null;
}

/** The message for an error of ajv; null if another check has a better message. */
export function shapeProblem(document: ShapedFile, error: DefinedError): ShapeProblem | null {
  const path = error.instancePath.split("/").slice(1).map(unescaped);
  const of = subjectOfPath(document, path);
  const value = (code: DiagnosticCode, message: string, hint: string | null = null): ShapeProblem => ({
    code,
    path,
    at: "value",
    message,
    hint,
  });
  switch (error.keyword) {
    case "additionalProperties":
      return unknownKey(document, path, error.params.additionalProperty, error.parentSchema);
    case "required":
      return {
        code: "missing-key",
        path,
        at: "key",
        message: `${of} lacks the key "${error.params.missingProperty}"`,
        hint: null,
      };
    case "type":
      return value(
        "wrong-type",
        `${of} must be ${article(error.params.type)}, not ${found(error.params.type, error.data)}`,
      );
    case "uniqueItems":
      return {
        ...value("invalid-value", `${shown(itemAt(error.data, error.params.i))} appears twice in ${of}`),
        path: [...path, String(error.params.i)],
      };
    case "enum":
      return notInEnum(path, of, error);
    case "propertyNames":
      // check/check-names.ts checks names of models and fields, and check/check-lint-ignores.ts checks codes.
      return document === "models" || document === "errors" || path[0] === "lint_ignore"
        ? null
        : settingName(path, error.params.propertyName);
    case "pattern":
      return error.propertyName === undefined
        ? value("invalid-value", `${of} must match ${error.params.pattern}`, example(error.parentSchema))
        : null;
    case "minimum":
      return value("invalid-value", `${of} must be at least ${error.params.limit}`);
    case "maximum":
      return value("invalid-value", `${of} must be at most ${error.params.limit}`);
    case "minLength":
    case "minItems":
      return value("invalid-value", `${of} must not be empty`);
    case "not":
      return null;
    default:
      return value("invalid-value", `${of} ${error.message ?? "is not allowed"}`);
  }
}

function unescaped(step: string): string {
  return step.replaceAll("~1", "/").replaceAll("~0", "~");
}

function unknownKey(
  document: ShapedFile,
  path: readonly string[],
  key: string,
  schema: unknown,
): ShapeProblem {
  const known = propertiesOf(schema);
  const operation = document === "models" && path.length === 2 && path[1] === "access";
  const message = operation
    ? `${subjectOfPath(document, path)} has the unknown operation "${key}"`
    : `${subjectOfPath(document, path)} has the unknown key "${key}"`;
  const hint = didYouMean(key, known) ?? `known here: ${known.join(", ")}`;
  return {
    code: operation ? "unknown-operation" : "unknown-key",
    path: [...path, key],
    at: "key",
    message,
    hint,
  };
}

function propertiesOf(schema: unknown): string[] {
  const properties =
    typeof schema === "object" && schema !== null && "properties" in schema ? schema.properties : null;
  return typeof properties === "object" && properties !== null
    ? Object.keys(properties).filter((key) => key !== "$schema")
    : [];
}

function example(schema: unknown): string | null {
  const examples =
    typeof schema === "object" && schema !== null && "examples" in schema ? schema.examples : null;
  return Array.isArray(examples) ? `such as ${JSON.stringify(examples[0])}` : null;
}

function notInEnum(
  path: readonly string[],
  of: string,
  { data, params, propertyName }: DefinedError & { keyword: "enum" },
): ShapeProblem | null {
  if (propertyName !== undefined) return null;
  const allowed = params.allowedValues.map(String);
  const fieldType = path.length === 4 && path[3] === "type";
  const near =
    typeof data !== "string" ? null : fieldType ? typeHint(data, allowed) : didYouMean(data, allowed);
  const hint = near ?? `one of ${allowed.join(", ")}`;
  if (!fieldType)
    return { code: "invalid-value", path, at: "value", message: `${of} is ${shown(data)}`, hint };
  const message = `field "${path[2]}" of model "${path[0]}" has type ${shown(data)}`;
  return { code: "unknown-field-type", path, at: "value", message, hint };
}

function settingName(path: readonly string[], name: string): ShapeProblem {
  const problem = { path: [...path, name], at: "key" } as const;
  if (!secretSettings.has(name)) {
    const message = `"${name}" is not a name of a setting: lowercase letters, digits and underscores`;
    return { ...problem, code: "invalid-value", message, hint: null };
  }
  const provider = path.at(-1) ?? "";
  const message = `"${name}" of "${provider}" is a secret`;
  return { ...problem, code: "secret-in-manifest", message, hint: secretHint(provider, name) };
}

function itemAt(list: unknown, index: number): unknown {
  return Array.isArray(list) ? list[index] : null;
}

/** The value that was found, by its type. For a number that should be an integer, the number itself. */
function found(wanted: unknown, data: unknown): string {
  return wanted === "integer" && typeof data === "number" ? String(data) : article(typeName(data));
}

function typeName(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

function article(type: unknown): string {
  if (Array.isArray(type)) return type.map(article).join(" or ");
  const name = String(type);
  if (name === "null") return name;
  return /^[aeiou]/.test(name) ? `an ${name}` : `a ${name}`;
}

function shown(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}

import acknowledgedSchema from "../../schemas/access-acknowledged.schema.json" with { type: "json" };
import errorsSchema from "../../schemas/errors.schema.json" with { type: "json" };
import manifestSchema from "../../schemas/manifest.schema.json" with { type: "json" };
import modelsSchema from "../../schemas/models.schema.json" with { type: "json" };

const schemas = {
  models: modelsSchema,
  manifest: manifestSchema,
  acknowledged: acknowledgedSchema,
  errors: errorsSchema,
};

/** Each run compiles the schemas, so options that only validate or optimise the schemas are off. A test validates them. */
const ajv = new Ajv({
  ...{ allErrors: true, verbose: true, allowUnionTypes: true },
  ...{ meta: false, validateSchema: false, strict: false, code: { optimize: false } },
});
const validators: Partial<Record<ShapedFile, ValidateFunction>> = {};

function validator(document: ShapedFile): ValidateFunction {
  validators[document] ??= ajv.compile(schemas[document]);
  return validators[document];
}

/** Validates a parsed file by its JSON Schema and reports each violation at its position. */
export function checkShape(document: ShapedFile, root: JsonNode, report: ReportDiagnostic): void {
  const validate = validator(document);
  if (validate(plainValue(root))) return;
  // With `allErrors` and the schemas' keywords, ajv's errors are exactly its `DefinedError`s.
  const errors = (validate.errors ?? []) as DefinedError[];
  // A value of the wrong type also violates other rules at the same path.
  const mistyped = new Set(
    errors.filter(({ keyword }) => keyword === "type").map((error) => error.instancePath),
  );
  for (const error of errors) {
    if (error.keyword !== "type" && mistyped.has(error.instancePath)) continue;
    const problem = shapeProblem(document, error);
    if (problem !== null) report(problem.code, place(root, problem), problem.message, problem.hint);
  }
}

function place(root: JsonNode, { path, at }: ShapeProblem): SourceSpan {
  let node = root;
  let key = root.at;
  for (const step of path) {
    const member = node.kind === "object" ? node.members.get(step) : undefined;
    const item = node.kind === "array" ? node.items[Number(step)] : undefined;
    const next = member?.value ?? item;
    if (next === undefined) break;
    key = member?.key ?? next.at;
    node = next;
  }
  return at === "key" ? key : node.at;
}
