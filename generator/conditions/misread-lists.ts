import type { ConditionSyntaxError } from "./condition-problem.ts";
import type { Term } from "./condition-tree.ts";
import { termText } from "./expression-text.ts";
import { isOneOf, shape } from "./misread-exists.ts";
import { expected, is, isComparison, type Tokens } from "./token-reader.ts";

// What is asked of lists, as people write it who know SQL, and what stands in place of the values of IN and OVERLAPS.

const ofOtherModels = `rows of other models are asked for by ${shape}`;

/** IN or OVERLAPS with a SELECT, or with something else in place of a list. */
export function misreadList(operator: string, left: Term, tokens: Tokens): ConditionSyntaxError | null {
  const [first, second] = [tokens.peek(), tokens.peek(1)];
  if (is(first, "(") && is(second, ")")) return expected(second, "a value", "a list has one value or more");
  const isSelect = is(first, "(") && is(second, "SELECT") && !isOneOf(tokens.peek(2), [",", ")"]);
  const takes = `${operator} takes values`;
  if (isSelect) return expected(second, "values", `${takes}; ${ofOtherModels}`);
  if (is(first, "(")) return null;
  if (first.kind === "end") return expected(first, "(", `${takes} in parentheses`);
  if (first.kind !== "word")
    return expected(first, "(", `${takes} in parentheses: ${operator} (${first.text})`);
  const isColumn = left.kind !== "field" && tokens.fields.has(first.text);
  return expected(
    first,
    "(",
    isColumn ? turned(left, first.text) : `${takes} in parentheses; ${ofOtherModels}`,
  );
}

function turned(left: Term, column: string): string {
  return `write ${column} CONTAINS ${termText(left)} where "${column}" is a list`;
}

/** CONTAINS with several values. */
export function misreadElement(left: Term, tokens: Tokens): ConditionSyntaxError | null {
  const first = tokens.peek();
  if (!is(first, "(")) return null;
  const column = termText(left);
  const hint = `CONTAINS asks for one: write ${column} CONTAINS 'a' AND ${column} CONTAINS 'b', or ${column} OVERLAPS ('a', 'b') where one of them is enough`;
  return expected(first, "a value", hint);
}

/** What to write for `'a' = ANY(tags)`; null where it is something else. */
export function anyHint(tokens: Tokens): string | null {
  const [value, sign, list, end] = [-3, -2, 1, 2].map((ahead) => tokens.peek(ahead));
  if (value === undefined || sign === undefined || list === undefined || end === undefined) return null;
  const isEqual = isComparison(sign) && sign.text === "=";
  if (!isEqual || list.kind !== "word" || !is(end, ")") || is(list, "SELECT")) return null;
  return `write ${list.text} CONTAINS ${value.text} where "${list.text}" is a list, and EXISTS (${list.text} WHERE …) where it is a relation`;
}
