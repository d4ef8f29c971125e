import { numberText } from "../../vocabulary/exact-numbers.ts";
import { isExactKind } from "../../vocabulary/field-kinds.ts";
import { checkValue, elementRules, isLess, type ValueRules } from "../definition/values.ts";
import type { Report } from "../diagnostics/index.ts";
import type { RawField } from "../load/raw.ts";
import type { Located } from "../load/read.ts";

/** Bounds of a field against each other and against its type (decisions, part 3). */
export function checkBounds(subject: string, field: RawField, rules: ValueRules, report: Report): void {
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
  report: Report,
): void {
  if (minLength === null || maxLength === null || minLength.value <= maxLength) return;
  const message = `"min_length" of ${subject} is above its greatest length, ${maxLength}`;
  report("invalid-bounds", minLength.at, message);
}

function checkItems(subject: string, { minItems }: RawField, rules: ValueRules, report: Report): void {
  const { items, enum: allowed } = rules;
  if (minItems === null || items === null) return;
  const different = items.unique && allowed !== null ? allowed.length : items.most;
  const most = Math.min(items.most, different);
  if (minItems.value <= most) return;
  const message = `"min_items" of ${subject} is above the greatest number of its elements, ${most}`;
  report("invalid-bounds", minItems.at, message);
}

/** Whether a bound is a value of the type, of a list of its elements; says so where it is none. */
function checkBound(
  subject: string,
  bound: Located<number | string> | null,
  rules: ValueRules,
  report: Report,
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

/** What to write instead of a text that holds a number. */
function numberHint({ kind }: ValueRules, bound: number | string): string | null {
  const isText = typeof bound === "string" && numberText(bound) !== null;
  return isText && !isExactKind(kind) ? `write ${Number(bound)}` : null;
}

/** What to write instead of a number that has lost digits in JSON. */
export function lostDigitsHint(rules: ValueRules, value: unknown): string | null {
  const isLost = typeof value === "number" && numberText(value) === null;
  return isLost && isExactKind(elementRules(rules).kind)
    ? "write it as a string: JSON loses digits of it"
    : null;
}
