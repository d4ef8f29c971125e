import { Ajv, type DefinedError, type ValidateFunction } from "ajv";
import acknowledgedSchema from "../../schemas/access-acknowledged.schema.json" with { type: "json" };
import errorsSchema from "../../schemas/errors.schema.json" with { type: "json" };
import manifestSchema from "../../schemas/manifest.schema.json" with { type: "json" };
import modelsSchema from "../../schemas/models.schema.json" with { type: "json" };
import type { Report, Span } from "../diagnostics/index.ts";
import { type JsonNode, plain } from "./json-tree.ts";
import { type ShapeProblem, shapeProblem } from "./shape-problem.ts";
import type { Document } from "./subject.ts";

const schemas = {
  models: modelsSchema,
  manifest: manifestSchema,
  acknowledged: acknowledgedSchema,
  errors: errorsSchema,
};

/** Each run compiles the schemas: what looks at the schemas themselves, and what makes their code shorter, is left to a test. */
const ajv = new Ajv({
  ...{ allErrors: true, verbose: true, allowUnionTypes: true },
  ...{ meta: false, validateSchema: false, strict: false, code: { optimize: false } },
});
const validators: Partial<Record<Document, ValidateFunction>> = {};

function validator(document: Document): ValidateFunction {
  validators[document] ??= ajv.compile(schemas[document]);
  return validators[document];
}

/** Compares a parsed file with its JSON Schema and reports each difference where it stands. */
export function checkShape(document: Document, root: JsonNode, report: Report): void {
  const validate = validator(document);
  if (validate(plain(root))) return;
  // With `allErrors` and the schemas' keywords, ajv's errors are exactly its `DefinedError`s.
  const errors = (validate.errors ?? []) as DefinedError[];
  // A value of the wrong type breaks the other rules of its place too.
  const mistyped = new Set(
    errors.filter(({ keyword }) => keyword === "type").map((error) => error.instancePath),
  );
  for (const error of errors) {
    if (error.keyword !== "type" && mistyped.has(error.instancePath)) continue;
    const problem = shapeProblem(document, error);
    if (problem !== null) report(problem.code, place(root, problem), problem.message, problem.hint);
  }
}

function place(root: JsonNode, { path, at }: ShapeProblem): Span {
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
