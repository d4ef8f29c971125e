import { checkValue, patternProblem, type ValueRules } from "../definition/values.ts";
import type { Report } from "../diagnostics/index.ts";
import type { RawField } from "../load/raw.ts";
import type { Located } from "../load/read.ts";
import { formOf, isNullable, type ModelGraph, type ModelNode } from "../resolve/model-graph.ts";
import { columnRules } from "../resolve/resolve-field.ts";
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
  checkBounds(subject, field, rules, report);
  checkPattern(`"pattern" of ${subject}`, field.pattern, report);
  if (formOf(field) === "column") checkEnum(subject, field, rules, report);
  checkDefault(subject, field, rules, report);
}

function checkBounds(subject: string, field: RawField, rules: ValueRules, report: Report): void {
  const { minimum, maximum, minLength } = field;
  const longest = rules.maxLength;
  if (minLength !== null && longest !== null && minLength.value > longest) {
    report(
      "invalid-bounds",
      minLength.at,
      `"min_length" of ${subject} is above its greatest length, ${longest}`,
    );
  }
  for (const bound of [minimum, maximum]) {
    if (bound === null || rules.kind !== "integer") continue;
    const checked = checkValue({ ...rules, enum: null, minimum: null, maximum: null }, bound.value);
    if ("problem" in checked)
      report("invalid-bounds", bound.at, `the bound ${bound.value} of ${subject} ${checked.problem}`);
  }
  if (minimum !== null && maximum !== null && minimum.value > maximum.value) {
    report(
      "invalid-bounds",
      minimum.at,
      `"minimum" of ${subject} is greater than its "maximum", ${maximum.value}`,
    );
  }
}

function checkPattern(subject: string, pattern: Located<string> | null, report: Report): void {
  const problem = pattern === null ? null : patternProblem(pattern.value);
  if (pattern === null || problem === null) return;
  const hint = "patterns are regular expressions of RE2: no look-around, no backreferences";
  report("invalid-pattern", pattern.at, `${subject}: ${problem}`, hint);
}

function checkEnum(subject: string, field: RawField, rules: ValueRules, report: Report): void {
  const seen = new Set<unknown>();
  for (const { value, at } of field.enum ?? []) {
    // The shape check reports what is neither string nor number.
    if (typeof value !== "string" && typeof value !== "number") continue;
    const checked = checkValue({ ...rules, enum: null }, value);
    if ("problem" in checked)
      report("invalid-enum", at, `the enum value ${JSON.stringify(value)} of ${subject} ${checked.problem}`);
    if (seen.has(value))
      report("invalid-enum", at, `the enum value ${JSON.stringify(value)} of ${subject} stands twice`);
    seen.add(value);
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
  const hint = value === "now()" ? "defaults are values; let a before_create hook set the time" : null;
  // Any JSON fits, but for text that no column stores.
  const problem = rules.kind === "json" ? "holds \\u0000 or half of a surrogate pair" : checked.problem;
  report("invalid-default", at, `the default ${JSON.stringify(value)} of ${subject} ${problem}`, hint);
}
