import { didYouMean } from "../../vocabulary/nearest.ts";
import { presetOf } from "../../vocabulary/presets.ts";
import { checkValue, elementRules, patternProblem, type ValueRules } from "../definition/values.ts";
import type { Report } from "../diagnostics/index.ts";
import type { RawField } from "../load/raw.ts";
import type { Located } from "../load/read.ts";
import { formOf, isNullable, type ModelGraph, type ModelNode } from "../resolve/model-graph.ts";
import { columnRules } from "../resolve/resolve-field.ts";
import { checkBounds, lostDigitsHint } from "./check-bounds.ts";
import type { CheckContext } from "./check-context.ts";

/** Bounds, patterns, enum values and defaults of fields (decisions, part 3). */
export function checkValues({ graph, manifest, report }: CheckContext): void {
  checkPattern('"cors.allow_origin_regex" of the manifest', manifest?.allowOriginRegex ?? null, report);
  for (const node of graph.values()) {
    for (const field of node.raw.fields) checkField(graph, node, field, report);
  }
}

function checkField(graph: ModelGraph, node: ModelNode, field: RawField, report: Report): void {
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

/** Whether it is known how many digits a decimal has, if it is one; says so where it is not. */
function checkSize(subject: string, field: RawField, { decimal }: ValueRules, report: Report): boolean {
  if (decimal === null || formOf(field) !== "column") return true;
  if (field.precision === null) {
    // The shape check has reported one that is misspelt or no number.
    const near = [...field.keys.keys()].some((key) => didYouMean(key, ["precision"]) !== null);
    const hint =
      'say how many digits a decimal has, and how many of them after the point: "precision": 12, "scale": 2';
    if (!near) report("missing-key", field.at, `${subject} lacks the key "precision"`, hint);
    return false;
  }
  if (field.scale === null || decimal.scale <= decimal.precision) return true;
  const message = `"scale" of ${subject} is above its "precision", ${decimal.precision}`;
  report("invalid-bounds", field.scale.at, message);
  return false;
}

function checkPattern(subject: string, pattern: Located<string> | null, report: Report): void {
  const problem = pattern === null ? null : patternProblem(pattern.value);
  if (pattern === null || problem === null) return;
  const hint = "patterns are regular expressions of RE2: no look-around, no backreferences";
  report("invalid-pattern", pattern.at, `${subject}: ${problem}`, hint);
}

function checkEnum(subject: string, field: RawField, rules: ValueRules, report: Report): void {
  const seen = new Set<unknown>();
  const ofElements = { ...elementRules(rules), enum: null };
  for (const { value, at } of field.enum ?? []) {
    // The shape check reports what is neither string nor number.
    if (typeof value !== "string" && typeof value !== "number") continue;
    const shown = `the enum value ${JSON.stringify(value)} of ${subject}`;
    const checked = checkValue(ofElements, value);
    if ("problem" in checked)
      report("invalid-enum", at, `${shown} ${checked.problem}`, lostDigitsHint(rules, value));
    const known = "problem" in checked ? value : checked.value;
    if (seen.has(known)) report("invalid-enum", at, `${shown} stands twice`);
    seen.add(known);
  }
}

function checkDefault(subject: string, field: RawField, rules: ValueRules, report: Report): void {
  if (field.default === null || rules.kind === "password") return;
  const { value, at }: Located<unknown> = field.default;
  if (field.default.value === null) {
    if (!isNullable(field))
      report("invalid-default", at, `the default of ${subject} is null, which the field cannot be`);
    return;
  }
  const checked = checkValue(rules, field.default.value);
  if (!("problem" in checked)) return;
  const isPreset = typeof value === "string" && presetOf(value) !== null;
  const hint = isPreset
    ? `defaults are values; what the server sets is a "preset": ${JSON.stringify(value)}`
    : lostDigitsHint(rules, value);
  // Any JSON fits, but for text that no column stores.
  const problem = rules.kind === "json" ? "holds \\u0000 or half of a surrogate pair" : checked.problem;
  report("invalid-default", at, `the default ${JSON.stringify(value)} of ${subject} ${problem}`, hint);
}
