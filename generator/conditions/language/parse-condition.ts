import { type Moment, type TimeUnit, timeUnits } from "../../../vocabulary/conditions/conditions.ts";
import { compareNumbers, numberText } from "../../../vocabulary/fields/exact-numbers.ts";
import { type ConditionProblem, ConditionSyntaxError, type TextRange } from "../hints/condition-problem.ts";
import {
  elementProblem,
  existsHint,
  isHint,
  listProblem,
  noPath,
  notHint,
  operatorHint,
  strayHint,
  valueHint,
} from "./comparison-hints.ts";
import {
  createTokens,
  expected,
  is,
  isComparison,
  type KnownFields,
  noFields,
  span,
  type Token,
  type Tokens,
  tokenize,
} from "./condition-tokens.ts";
import type { ComparisonSymbol, ConditionExpression, Term } from "./condition-tree.ts";

type Offset = NonNullable<Moment["offset"]>;

/** The maximum interval in a condition, in days. */
const maxDays = 36_500;

const isUnit = (name: string): name is TimeUnit => Object.hasOwn(timeUnits, name);

/** Parses `15 minutes`, one whole number and one unit, or returns why it is invalid. */
function readSpan(
  text: string,
  sign: 1 | -1,
): { readonly offset: Offset } | { readonly message: string; readonly hint: string } {
  const [, digits = "", name = ""] = /^\s*(\d+)\s+([a-z]+?)s?\s*$/i.exec(text) ?? [];
  const unit = name.toLowerCase();
  if (!isUnit(unit)) {
    const hint = "units are second, minute, hour and day, such as '15 minutes' or '2 days'";
    return { message: `'${text}' is not an interval of one whole number and one unit`, hint };
  }
  const amount = Number(digits);
  if (amount * timeUnits[unit] > maxDays * timeUnits.day)
    return { message: `'${text}' is longer than 36,500 days`, hint: "write '36500 days' or fewer" };
  // Avoids -0, which would print differently.
  return { offset: { amount: sign * amount + 0, unit } };
}

/** Significant digits that every JavaScript number can hold. */
const safeDigits = 15;

/** The written digits, if a JavaScript number cannot hold all of them: exact numbers are compared by their digits. */
function digitsOf({ text, value }: { readonly text: string; readonly value: number }): {
  readonly digits?: string;
} {
  const [written, kept] = [numberText(text), numberText(value)];
  if (written === null) return significant(text) > safeDigits ? { digits: text } : {};
  return kept !== null && compareNumbers(kept, written) === 0 ? {} : { digits: written };
}

function significant(text: string): number {
  const [mantissa = ""] = text.split(/e/i);
  return mantissa.replace(/[^0-9]/g, "").replace(/^0+|0+$/g, "").length;
}

const stillOpen = "a parenthesis is still open";

/** Deepest nesting of parentheses and NOT in a condition. */
export const maxConditionDepth = 32;

/**
 * Parses a row condition. NOT binds before AND, AND before OR; keywords are case-insensitive. Returns the tree, or the
 * first syntax error. `fields` are those of the model: a field called `null`, `true` or `false` can be on the left of an
 * operator.
 */
export function parseCondition(text: string, fields: KnownFields = noFields): ParsedCondition {
  return parse(text, fields, 0);
}

/** Parses a condition that Kirak printed. Printing adds parentheses, which do not count towards the depth. */
export function parsePrintedCondition(text: string, fields: KnownFields = noFields): ParsedCondition {
  return parse(text, fields, -2 * maxConditionDepth);
}

type ParsedCondition = { readonly expression: ConditionExpression } | { readonly problem: ConditionProblem };

function parse(text: string, fields: KnownFields, depth: number): ParsedCondition {
  try {
    const tokens = createTokens(text, tokenize(text), fields);
    const expression = disjunction(tokens, depth);
    const rest = tokens.peek();
    if (rest.kind !== "end") throw expected(rest, "AND, OR or the end", strayHint(rest, tokens));
    return { expression };
  } catch (error) {
    if (error instanceof ConditionSyntaxError) return { problem: error.problem };
    throw error;
  }
}

function disjunction(tokens: Tokens, depth: number): ConditionExpression {
  return chain(tokens, "or", () => chain(tokens, "and", () => negation(tokens, depth)));
}

function chain(tokens: Tokens, kind: "and" | "or", operand: () => ConditionExpression): ConditionExpression {
  const first = operand();
  const items = [first];
  while (tokens.take(kind.toUpperCase()) !== null) items.push(operand());
  return items.length === 1 ? first : { kind, items };
}

function negation(tokens: Tokens, depth: number): ConditionExpression {
  const start = tokens.peek();
  const deeper = () => {
    if (depth < maxConditionDepth) return depth + 1;
    throw new ConditionSyntaxError(
      start.at,
      `more than ${maxConditionDepth} levels of nesting`,
      null,
      "condition-too-deep",
    );
  };
  // A field can be called `not`; then a comparison follows.
  if (is(start, "NOT") && !isComparison(tokens.peek(1))) {
    tokens.next();
    return { kind: "not", item: negation(tokens, deeper()) };
  }
  // A field can be called `exists`; then no parenthesis follows.
  if (is(start, "EXISTS") && is(tokens.peek(1), "(")) return exists(tokens, deeper());
  if (tokens.take("(") === null) return call(tokens) ?? predicate(tokens);
  const inner = disjunction(tokens, deeper());
  if (tokens.take(")") === null) throw expected(tokens.peek(), ")", stillOpen);
  return inner;
}

function exists(tokens: Tokens, depth: number): ConditionExpression {
  tokens.next();
  tokens.need("(");
  const path = tokens.next();
  if (path.kind !== "word") throw noPath(path);
  const where = tokens.take("WHERE") === null ? null : disjunction(tokens.behind(path.text), depth);
  if (tokens.take(")") !== null) return { kind: "exists", path: path.text, where, at: path.at };
  throw where === null ? existsHint(path, tokens) : expected(tokens.peek(), ")", stillOpen);
}

/** Words that cannot name a condition. */
export const conditionWords: ReadonlySet<string> = new Set(
  "and or not in is null like ilike between contains overlaps exists where true false now interval this".split(
    " ",
  ),
);

/** A call of a named condition, or null: `lower(title) = 'a'` is a comparison with a function, which does not exist. */
function call(tokens: Tokens): ConditionExpression | null {
  const name = tokens.peek();
  if (name.kind !== "word" || name.text.includes(".") || conditionWords.has(name.text.toLowerCase()))
    return null;
  const path = tokens.peek(2);
  const length = path.kind === "word" ? 3 : 2;
  const after = tokens.peek(length + 1);
  const ends = after.kind === "end" || ["AND", "OR", ")"].some((text) => is(after, text));
  if (!is(tokens.peek(1), "(") || !is(tokens.peek(length), ")") || !ends) return null;
  for (let taken = 0; taken < length; taken++) tokens.next();
  const at = span(name.at, tokens.next().at);
  return { kind: "call", name: name.text, path: path.kind === "word" ? path.text : "", at };
}

function predicate(tokens: Tokens): ConditionExpression {
  const left = namedLikeConstant(tokens) ?? term(tokens);
  const operator = tokens.next();
  if (isComparison(operator)) {
    return { kind: "compare", symbol: comparison(operator.text), left, right: term(tokens), at: operator.at };
  }
  if (is(operator, "IS")) {
    const negated = tokens.take("NOT") !== null;
    const at = tokens.take("NULL");
    if (at === null) throw expected(tokens.peek(), "NULL", isHint(left, tokens.peek(), negated));
    return { kind: "null", negated, left, at: span(operator.at, at) };
  }
  const negated = is(operator, "NOT");
  const word = negated ? tokens.next() : operator;
  const at = span(operator.at, word.at);
  if (!negated && is(word, "CONTAINS")) return { kind: "contains", left, right: element(tokens, left), at };
  if (!negated && is(word, "OVERLAPS"))
    return { kind: "overlaps", left, values: list(tokens, left, word), at };
  if (is(word, "LIKE")) return { kind: "like", fold: false, negated, left, right: term(tokens), at };
  if (is(word, "ILIKE")) return { kind: "like", fold: true, negated, left, right: term(tokens), at };
  if (is(word, "IN")) return { kind: "in", negated, left, values: list(tokens, left, word), at };
  if (!is(word, "BETWEEN"))
    throw negated
      ? expected(word, "IN, LIKE, ILIKE or BETWEEN", notHint(left, word))
      : expected(word, "an operator", operatorHint(left, word, tokens));
  const from = term(tokens);
  tokens.need("AND");
  return { kind: "between", negated, left, from, to: term(tokens), at };
}

/** The field at the start of a comparison that is named like a constant, if the model has one. */
function namedLikeConstant(tokens: Tokens): Term | null {
  const token = tokens.peek();
  if (token.kind !== "word" || !constants.has(token.text.toUpperCase()) || !tokens.fields.has(token.text))
    return null;
  tokens.next();
  return { kind: "field", name: token.text, at: token.at };
}

/** The operand of CONTAINS: one value. */
function element(tokens: Tokens, left: Term): Term {
  const misread = elementProblem(left, tokens);
  if (misread !== null) throw misread;
  return term(tokens);
}

function list(tokens: Tokens, left: Term, operator: Token): Term[] {
  const misread = listProblem(operator.text.toUpperCase(), left, tokens);
  if (misread !== null) throw misread;
  tokens.need("(");
  const values = [term(tokens)];
  while (tokens.take(",") !== null) values.push(term(tokens));
  tokens.need(")");
  return values;
}

const constants: ReadonlyMap<string, boolean | null> = new Map([
  ["TRUE", true],
  ["FALSE", false],
  ["NULL", null],
]);

const keywords = new Set(["AND", "OR", "NOT", "IN", "IS", "LIKE", "ILIKE", "BETWEEN"]);

function term(tokens: Tokens): Term {
  const token = tokens.next();
  const { at } = token;
  if (token.kind === "string") return { kind: "value", value: token.value, at };
  if (token.kind === "number") return { kind: "value", value: token.value, ...digitsOf(token), at };
  if (token.kind === "placeholder") return { kind: "placeholder", name: token.name, at };
  if (token.kind === "user") return { kind: "user", column: token.column, at };
  if (token.kind !== "word") throw expected(token, "a field or a value", valueHint(token, tokens));
  const word = token.text.toUpperCase();
  const constant = constants.get(word);
  if (constant !== undefined) return { kind: "value", value: constant, at };
  if (word === "NOW" && tokens.take("(") !== null) return moment(tokens, span(at, tokens.need(")")));
  // A field can have a keyword's name; then a comparison follows.
  if (keywords.has(word) && !isComparison(tokens.peek())) throw expected(token, "a field or a value");
  return { kind: "field", name: token.text, at };
}

/** `now()`, or `now() - interval '15 minutes'`. */
function moment(tokens: Tokens, now: TextRange): Term {
  const earlier = is(tokens.peek(), "-");
  if (!earlier && !is(tokens.peek(), "+")) return { kind: "placeholder", name: "now", at: now };
  tokens.next();
  const hint = `write now() ${earlier ? "-" : "+"} interval '15 minutes'`;
  if (tokens.take("INTERVAL") === null) throw expected(tokens.peek(), "INTERVAL", hint);
  const written = tokens.next();
  if (written.kind !== "string") throw expected(written, "an interval in single quotes", hint);
  const read = readSpan(written.value, earlier ? -1 : 1);
  if ("message" in read) throw new ConditionSyntaxError(written.at, read.message, read.hint);
  return { kind: "placeholder", name: "now", offset: read.offset, at: span(now, written.at) };
}

function comparison(text: string): ComparisonSymbol {
  switch (text) {
    case "<":
    case "<=":
    case ">":
    case ">=":
    case "=":
      return text;
    default:
      return "!=";
  }
}
