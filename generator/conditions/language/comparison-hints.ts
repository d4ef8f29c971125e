import type { ConditionSyntaxError } from "../hints/condition-problem.ts";
import { asksForElement, callerHint, foreignHint, listHint } from "../hints/foreign-names.ts";
import { expected, is, isComparison, type Token, type Tokens } from "./condition-tokens.ts";
import { type Term, termText } from "./condition-tree.ts";

// Hints for EXISTS in SQL style.

/** The form of EXISTS. */
const shape = "EXISTS (memberships WHERE user_id = {user_id})";
/** Whether a token is one of these keywords or symbols. */
const isOneOf = (token: Token, words: readonly string[]) => words.some((word) => is(token, word));
const joins = ["JOIN", "INNER", "LEFT", "RIGHT", "CROSS", "ON", "USING"];

/** A hint for text in the place of an EXISTS path. */
export function noPath(found: Token): ConditionSyntaxError {
  return expected(found, "a path over relations after EXISTS (", `such as ${shape}`);
}

/** Reports an EXISTS path that is not followed by WHERE. */
export function existsHint(path: Token, tokens: Tokens): ConditionSyntaxError {
  const found = tokens.peek();
  if (isOneOf(path, ["SELECT", "FROM"]) && found.kind !== "end") return select(path, tokens);
  const error = (hint: string) => expected(found, "WHERE or )", hint);
  if (
    isComparison(found) ||
    isOneOf(found, ["IN", "IS", "LIKE", "ILIKE", "BETWEEN", "CONTAINS", "OVERLAPS"])
  ) {
    const hint = `start with a path over relations: EXISTS (<relation> WHERE ${path.text} …)`;
    return expected(found, `WHERE after the path "${path.text}"`, hint);
  }
  if (isOneOf(found, joins))
    return error(`write names of relations instead of a join: EXISTS (${path.text}.<relation> WHERE …)`);
  const alias = is(found, "AS") || (found.kind === "word" && isOneOf(tokens.peek(1), ["WHERE", ...joins]));
  if (alias)
    return error(
      `aliases are not supported: within EXISTS (${path.text} WHERE …) a plain name is a field of ${path.text}, and this.<field> is a field of the row itself`,
    );
  if (found.kind === "end") return error("a parenthesis is still open");
  const skipped = isOneOf(found, ["AND", "OR", ","]) ? 1 : 0;
  return error(`write EXISTS (${path.text} WHERE ${tokens.rest(skipped)})`);
}

/** A SELECT with its table, as far as it can be parsed. */
function select(path: Token, tokens: Tokens): ConditionSyntaxError {
  const table = tableOf(path, tokens);
  const hint = `write EXISTS (${table ?? "<relation>"} WHERE …): a path over relations, without SELECT, FROM and joins`;
  return expected(path, "a path over relations after EXISTS (", hint);
}

function tableOf(path: Token, tokens: Tokens): string | null {
  let from = is(path, "FROM") ? 0 : null;
  for (let ahead = 0; from === null; ahead++) {
    const token = tokens.peek(ahead);
    if (token.kind === "end") return null;
    if (is(token, "FROM")) from = ahead + 1;
  }
  const table = tokens.peek(from);
  return table.kind === "word" ? table.text : null;
}

// Hints for comparisons in SQL style.

const ofOtherModels = `for rows of other models, write ${shape}`;
const operators = "operators are = != < <= > >= LIKE ILIKE IN BETWEEN CONTAINS OVERLAPS and IS NULL";
const interval = "now() - interval '15 minutes'";

/** A hint for text that is neither a field nor a value. */
export function valueHint(found: Token, tokens: Tokens): string | null {
  if (!is(found, "(")) return null;
  if (!is(tokens.peek(), "SELECT")) return "write fields and values without parentheses";
  const selected = tokens.peek(1);
  return (selected.kind === "word" ? callerHint(selected.text) : null) ?? ofOtherModels;
}

/** A hint for IS that is not followed by NULL. */
export function isHint(left: Term, found: Token, negated: boolean): string {
  const isDistinct = is(found, "DISTINCT");
  const shown = found.kind === "end" || isDistinct ? "…" : found.text;
  return `IS tests only for NULL: write ${termText(left)} ${negated === isDistinct ? "=" : "!="} ${shown}`;
}

/** A hint for a comparison without an operator. */
export function operatorHint(left: Term, found: Token, tokens: Tokens): string | null {
  if (left.kind === "field") return afterField(left.name, found, tokens);
  if (left.kind !== "value" || !isEnd(found)) return operators;
  if (left.value === true) return "a rule without a condition opens all rows";
  if (left.value === false) return "without a rule no row is open";
  return `each part must be a comparison; for one of several values, write IN (…, ${termText(left)})`;
}

function afterField(name: string, found: Token, { fields, peek }: Tokens): string {
  const word = name.toUpperCase();
  if (word === "EXISTS" && found.kind === "word")
    return `put the path and its condition in parentheses: EXISTS (${found.text} WHERE …)`;
  if (is(found, "EXISTS")) return `put the path in the parentheses: EXISTS (${name} WHERE …)`;
  if (word === "WHERE") return "a condition begins without WHERE";
  if (word === "SELECT") return (found.kind === "word" ? callerHint(found.text) : null) ?? ofOtherModels;
  if (word === "CASE") return "write it with AND, OR and NOT";
  if (is(found, "(")) return functionHint(name);
  const isMoment = isOneOf(found, ["+", "-"]) && isOneOf(peek(), ["INTERVAL"]);
  if (isMoment) return `only now() takes an interval: ${name} > ${interval}`;
  if (isOneOf(found, ["+", "-", "*"])) return "arithmetic is not supported";
  if (found.kind === "word" && asksForElement(found.text)) return listHint;
  if (isEnd(found)) {
    const call = name.includes(".") || fields.has(name) ? "" : `, or call a named condition: ${name}()`;
    return `write a comparison, such as ${name} = true${call}`;
  }
  return isOneOf(found, [")"])
    ? "within a comparison, write fields and values without parentheses"
    : operators;
}

function isEnd(found: Token): boolean {
  return found.kind === "end" || isOneOf(found, ["AND", "OR"]);
}

/** A hint for a function call. */
function functionHint(name: string): string {
  const known = foreignHint(name);
  if (known !== null) return known;
  const last = name.split(".").at(-1)?.toUpperCase() ?? "";
  // Docs call a named condition "member".
  if (asksForElement(last) && name !== "member") return listHint;
  return ["COUNT", "ANY", "SOME", "EXISTS", "LENGTH", "SIZE"].includes(last)
    ? "EXISTS (<relation> WHERE …) tests whether a row exists, and NOT EXISTS whether no row exists"
    : "the only function is now(); a call of a named condition is compared with nothing: member(project.organisation)";
}

/** A hint for NOT that is not followed by an operator. */
export function notHint(left: Term, found: Token): string {
  if (isOneOf(found, ["CONTAINS", "OVERLAPS"]))
    return `write NOT ${termText(left)} ${found.text.toUpperCase()} …`;
  if (is(found, "NULL")) return `write ${termText(left)} IS NOT NULL`;
  const value = isComparison(found) || found.kind === "end" ? "…" : found.text;
  return `write ${termText(left)} != ${value}`;
}

/** A hint for text after the end of a condition. */
export function strayHint(found: Token, tokens: Tokens): string | null {
  const before = tokens.peek(-1);
  if (is(found, "WHERE")) return `put the condition of EXISTS within its parentheses: ${shape}`;
  if (is(found, "EXISTS")) return "write AND or OR before EXISTS";
  if (is(found, ",")) return "write AND, or OR if one of them is enough";
  if (is(found, "(") && before.kind === "word") return afterCall(before.text, tokens);
  if (isOneOf(found, ["+", "-"]) && before.kind === "word")
    return foreignHint(hyphenated(before.text, tokens)) ?? foreignHint(before.text) ?? arithmetic;
  const isMoment = isOneOf(found, ["+", "-"]) || (found.kind === "number" && /^[+-]/.test(found.text));
  return isMoment ? arithmetic : null;
}

/** A hint for a name with hyphens, which no field has. */
function hyphenated(start: string, tokens: Tokens): string {
  let name = start;
  for (let ahead = 0; is(tokens.peek(ahead), "-") && tokens.peek(ahead + 1).kind === "word"; ahead += 2)
    name += `-${tokens.peek(ahead + 1).text}`;
  return name;
}

const arithmetic = `only now() takes + and -, with an interval: ${interval}`;

function afterCall(name: string, tokens: Tokens): string {
  if (!isOneOfNames(name, ["ANY", "SOME", "ALL"])) return functionHint(name);
  const found = isOneOfNames(name, ["ALL"]) ? null : anyHint(tokens);
  return found ?? `write values in IN (…); ${ofOtherModels}`;
}

function isOneOfNames(name: string, names: readonly string[]): boolean {
  return names.includes(name.toUpperCase());
}

// Hints for lists in SQL style, and for the values of IN and OVERLAPS.

/** Reports IN or OVERLAPS with a SELECT, or without a list. */
export function listProblem(operator: string, left: Term, tokens: Tokens): ConditionSyntaxError | null {
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
  return `if "${column}" is a list, write ${column} CONTAINS ${termText(left)}`;
}

/** Reports CONTAINS with several values. */
export function elementProblem(left: Term, tokens: Tokens): ConditionSyntaxError | null {
  const first = tokens.peek();
  if (!is(first, "(")) return null;
  const column = termText(left);
  const hint = `CONTAINS takes one value: write ${column} CONTAINS 'a' AND ${column} CONTAINS 'b', or ${column} OVERLAPS ('a', 'b') if one of them is enough`;
  return expected(first, "a value", hint);
}

/** A hint for `'a' = ANY(tags)`. Null for other text. */
function anyHint(tokens: Tokens): string | null {
  const [value, sign, list, end] = [-3, -2, 1, 2].map((ahead) => tokens.peek(ahead));
  if (value === undefined || sign === undefined || list === undefined || end === undefined) return null;
  const isEqual = isComparison(sign) && sign.text === "=";
  if (!isEqual || list.kind !== "word" || !is(end, ")") || is(list, "SELECT")) return null;
  return `if "${list.text}" is a list, write ${list.text} CONTAINS ${value.text}; if it is a relation, write EXISTS (${list.text} WHERE …)`;
}
