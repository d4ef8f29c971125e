import { numberText } from "../../vocabulary/fields/exact-numbers.ts";
import { isExactKind } from "../../vocabulary/fields/field-kinds.ts";
import { presetOf } from "../../vocabulary/fields/presets.ts";
import { didYouMean } from "../../vocabulary/nearest.ts";
import { checkValue, elementRules, isLess, patternProblem, type ValueRules } from "../definition/values.ts";
import type { ReportDiagnostic } from "../diagnostics/index.ts";
import type { RawField } from "../load/raw.ts";
import type { Located } from "../load/read.ts";
import { formOf, isNullable, type ModelGraph, type ModelNode } from "../resolve/model-graph.ts";
import { columnRules } from "../resolve/resolve-field.ts";
import type { CheckContext } from "./check-context.ts";

/** Checks bounds, patterns, enum values and defaults of fields. */
export function checkValues({ graph, manifest, report }: CheckContext): void {
  checkPattern('"cors.allow_origin_regex" of the manifest', manifest?.allowOriginRegex ?? null, report);
  for (const node of graph.values()) {
    for (const field of node.raw.fields) checkField(graph, node, field, report);
  }
}

function checkField(graph: ModelGraph, node: ModelNode, field: RawField, report: ReportDiagnostic): void {
  const subject = `field "${field.name}" of model "${node.raw.key}"`;
  const { kind, ...rest } = columnRules(graph, node, field.name);
  if (kind === null) return;
  const rules = { kind, ...rest };
  if (!checkSize(subject, field, rules, report)) return;
  checkBounds(subject, field, rules, report);
  checkPattern(`"pattern" of ${subject}`, field.pattern, report);
  if (formOf(field) === "column") checkEnum(subject, field, rules, report);
  checkDefault(subject, field, rules, report);
}

/** Whether precision and scale of a decimal are valid; reports it if not. True for other types. */
function checkSize(
  subject: string,
  field: RawField,
  { decimal }: ValueRules,
  report: ReportDiagnostic,
): boolean {
  if (decimal === null || formOf(field) !== "column") return true;
  // The digits of a `db_type` are those of the field.
  if (field.precision === null && field.dbType !== null) return true;
  if (field.precision === null) {
    // The shape check has reported a key that is misspelt or not a number.
    const near = [...field.keys.keys()].some((key) => didYouMean(key, ["precision"]) !== null);
    const hint = 'add the number of digits, and of digits after the point: "precision": 12, "scale": 2';
    if (!near) report("missing-key", field.at, `${subject} lacks the key "precision"`, hint);
    return false;
  }
  if (field.scale === null || decimal.scale <= decimal.precision) return true;
  const message = `"scale" of ${subject} is greater than its "precision", ${decimal.precision}`;
  report("invalid-bounds", field.scale.at, message);
  return false;
}

function checkPattern(subject: string, pattern: Located<string> | null, report: ReportDiagnostic): void {
  const problem = pattern === null ? null : patternProblem(pattern.value);
  if (pattern === null || problem === null) return;
  const hint = "patterns are regular expressions of RE2: no look-around, no backreferences";
  report("invalid-pattern", pattern.at, `${subject}: ${problem}`, hint);
}

function checkEnum(subject: string, field: RawField, rules: ValueRules, report: ReportDiagnostic): void {
  const seen = new Set<unknown>();
  const ofElements = { ...elementRules(rules), enum: null };
  for (const { value, at } of field.enum ?? []) {
    // The shape check reports values that are neither strings nor numbers.
    if (typeof value !== "string" && typeof value !== "number") continue;
    const shown = `the enum value ${JSON.stringify(value)} of ${subject}`;
    const checked = checkValue(ofElements, value);
    if ("problem" in checked)
      report("invalid-enum", at, `${shown} ${checked.problem}`, lostDigitsHint(rules, value));
    const known = "problem" in checked ? value : checked.value;
    if (seen.has(known)) report("invalid-enum", at, `${shown} appears twice`);
    seen.add(known);
  }
}

function checkDefault(subject: string, field: RawField, rules: ValueRules, report: ReportDiagnostic): void {
  if (field.default === null || rules.kind === "password") return;
  const { value, at }: Located<unknown> = field.default;
  if (field.default.value === null) {
    if (!isNullable(field))
      report("invalid-default", at, `the default of ${subject} is null, but the field is not nullable`);
    return;
  }
  const checked = checkValue(rules, field.default.value);
  if (!("problem" in checked)) return;
  const isPreset = typeof value === "string" && presetOf(value) !== null;
  const hint = isPreset
    ? `a default is a fixed value; for a value that the server sets, write "preset": ${JSON.stringify(value)}`
    : lostDigitsHint(rules, value);
  // Any JSON fits, except for text that PostgreSQL cannot store.
  const problem = rules.kind === "json" ? "holds \\u0000 or half of a surrogate pair" : checked.problem;
  report("invalid-default", at, `the default ${JSON.stringify(value)} of ${subject} ${problem}`, hint);
}

/** Checks the bounds of a field against each other and against its type. */
function checkBounds(subject: string, field: RawField, rules: ValueRules, report: ReportDiagnostic): void {
  checkLengths(subject, field, rules, report);
  checkItems(subject, field, rules, report);
  const fit = [field.minimum, field.maximum].filter((bound) => checkBound(subject, bound, rules, report));
  const { minimum, maximum } = rules;
  if (fit.length < 2 || field.minimum === null || minimum === null || maximum === null) return;
  if (!isLess(maximum, minimum)) return;
  const message = `"minimum" of ${subject} is greater than its "maximum", ${maximum}`;
  report("invalid-bounds", field.minimum.at, message);
}

function checkLengths(
  subject: string,
  { minLength }: RawField,
  { maxLength }: ValueRules,
  report: ReportDiagnostic,
): void {
  if (minLength === null || maxLength === null || minLength.value <= maxLength) return;
  const message = `"min_length" of ${subject} is greater than its maximum length, ${maxLength}`;
  report("invalid-bounds", minLength.at, message);
}

function checkItems(
  subject: string,
  { minItems }: RawField,
  rules: ValueRules,
  report: ReportDiagnostic,
): void {
  const { items, enum: allowed } = rules;
  if (minItems === null || items === null) return;
  const different = items.unique && allowed !== null ? allowed.length : items.most;
  const most = Math.min(items.most, different);
  if (minItems.value <= most) return;
  const message = `"min_items" of ${subject} is greater than the maximum number of its elements, ${most}`;
  report("invalid-bounds", minItems.at, message);
}

/** Whether a bound is a valid value of the type, or of the elements of a list; reports it if not. */
function checkBound(
  subject: string,
  bound: Located<number | string> | null,
  rules: ValueRules,
  report: ReportDiagnostic,
): boolean {
  if (bound === null) return true;
  const ofElements = elementRules(rules);
  const checked = checkValue({ ...ofElements, enum: null, minimum: null, maximum: null }, bound.value);
  if (!("problem" in checked)) return true;
  const message = `the bound ${JSON.stringify(bound.value)} of ${subject} ${checked.problem}`;
  report(
    "invalid-bounds",
    bound.at,
    message,
    lostDigitsHint(rules, bound.value) ?? numberHint(ofElements, bound.value),
  );
  return false;
}

/** The advice for a string that holds a number. */
function numberHint({ kind }: ValueRules, bound: number | string): string | null {
  const isText = typeof bound === "string" && numberText(bound) !== null;
  return isText && !isExactKind(kind) ? `write ${Number(bound)}` : null;
}

/** The advice for a number that has lost digits in JSON. */
function lostDigitsHint(rules: ValueRules, value: unknown): string | null {
  const isLost = typeof value === "number" && numberText(value) === null;
  return isLost && isExactKind(elementRules(rules).kind)
    ? "write it as a string, because a JSON number loses digits"
    : null;
}
