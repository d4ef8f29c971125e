import { type ConditionProblem, ConditionSyntaxError, type Place } from "./condition-problem.ts";
import { type Token, tokenize } from "./condition-tokens.ts";
import type { ComparisonSymbol, Expression, Term } from "./condition-tree.ts";
import { readSpan } from "./time-span.ts";

/** Deepest nesting of parentheses and NOT in a condition. */
export const maxConditionDepth = 32;

/** Which names are fields, of a model and of the models that paths lead to from it. */
export interface FieldNames {
  has(name: string): boolean;
  /** Those of the model at the end of a path. */
  behind(path: string): FieldNames;
}

const noNames: FieldNames = { has: () => false, behind: () => noNames };

/**
 * Reads a row condition (decisions, part 4). NOT binds before AND, AND before OR; keywords in any case.
 * The answer is the tree, or the first thing that does not follow the grammar. `fields` are those of the model: one may be called
 * `null`, `true` or `false`, and means the field on the left of an operator.
 */
export function parseCondition(
  text: string,
  fields: FieldNames = noNames,
): { expression: Expression } | { problem: ConditionProblem } {
  try {
    const tokens = createTokens(tokenize(text), fields);
    const expression = disjunction(tokens, 0);
    if (tokens.peek().kind !== "end") throw expected(tokens.peek(), "AND, OR or the end");
    return { expression };
  } catch (error) {
    if (error instanceof ConditionSyntaxError) return { problem: error.problem };
    throw error;
  }
}

interface Tokens {
  readonly fields: FieldNames;
  /** The same tokens, read where a path leads. */
  behind(path: string): Tokens;
  peek(ahead?: number): Token;
  next(): Token;
  /** Takes the next token if it is this keyword or symbol. */
  take(text: string): Place | null;
  need(text: string): Place;
}

function createTokens(tokens: readonly Token[], names: FieldNames): Tokens {
  let index = 0;
  const end: Token = tokens.at(-1) ?? { kind: "end", text: "", at: { offset: 0, length: 0 } };
  const peek = (ahead = 0) => tokens[index + ahead] ?? end;
  const next = () => tokens[index++] ?? end;
  const take = (text: string) => (is(peek(), text) ? next().at : null);
  const need = (text: string) => {
    const at = take(text);
    if (at === null) throw expected(peek(), text);
    return at;
  };
  const reading = (fields: FieldNames): Tokens => {
    return { fields, behind: (path) => reading(fields.behind(path)), peek, next, take, need };
  };
  return reading(names);
}

function is(token: Token, text: string): boolean {
  return (token.kind === "word" || token.kind === "symbol") && token.text.toUpperCase() === text;
}

function expected(found: Token, what: string, hint: string | null = null): ConditionSyntaxError {
  const instead = found.kind === "end" ? "the end of the condition" : found.text;
  return new ConditionSyntaxError(found.at, `expected ${what}, found ${instead}`, hint);
}

function disjunction(tokens: Tokens, depth: number): Expression {
  return chain(tokens, "or", () => chain(tokens, "and", () => negation(tokens, depth)));
}

function chain(tokens: Tokens, kind: "and" | "or", operand: () => Expression): Expression {
  const first = operand();
  const items = [first];
  while (tokens.take(kind.toUpperCase()) !== null) items.push(operand());
  return items.length === 1 ? first : { kind, items };
}

function negation(tokens: Tokens, depth: number): Expression {
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
  // A field may be called `not`; then a symbol follows.
  if (is(start, "NOT") && !isComparison(tokens.peek(1))) {
    tokens.next();
    return { kind: "not", item: negation(tokens, deeper()) };
  }
  // A field may be called `exists`; then no parenthesis follows.
  if (is(start, "EXISTS") && is(tokens.peek(1), "(")) return exists(tokens, deeper());
  if (tokens.take("(") === null) return predicate(tokens);
  const inner = disjunction(tokens, deeper());
  if (tokens.take(")") === null) throw expected(tokens.peek(), ")", "a parenthesis is still open");
  return inner;
}

function exists(tokens: Tokens, depth: number): Expression {
  tokens.next();
  tokens.need("(");
  const path = tokens.next();
  if (path.kind !== "word") throw expected(path, "a path over relations");
  const where = tokens.take("WHERE") === null ? null : disjunction(tokens.behind(path.text), depth);
  if (tokens.take(")") === null) throw expected(tokens.peek(), where === null ? "WHERE or )" : ")");
  return { kind: "exists", path: path.text, where, at: path.at };
}

function predicate(tokens: Tokens): Expression {
  const left = namedLikeConstant(tokens) ?? term(tokens);
  const operator = tokens.next();
  if (isComparison(operator)) {
    return { kind: "compare", symbol: comparison(operator.text), left, right: term(tokens), at: operator.at };
  }
  if (is(operator, "IS")) {
    const negated = tokens.take("NOT") !== null;
    return { kind: "null", negated, left, at: span(operator.at, tokens.need("NULL")) };
  }
  const negated = is(operator, "NOT");
  const word = negated ? tokens.next() : operator;
  const at = span(operator.at, word.at);
  if (is(word, "LIKE")) return { kind: "like", fold: false, negated, left, right: term(tokens), at };
  if (is(word, "ILIKE")) return { kind: "like", fold: true, negated, left, right: term(tokens), at };
  if (is(word, "IN")) return { kind: "in", negated, left, values: list(tokens), at };
  if (!is(word, "BETWEEN"))
    throw expected(word, negated ? "IN, LIKE, ILIKE or BETWEEN" : "an operator", operatorHint(left));
  const from = term(tokens);
  tokens.need("AND");
  return { kind: "between", negated, left, from, to: term(tokens), at };
}

/** The field at the start of a comparison whose name is that of a constant, where the model has one. */
function namedLikeConstant(tokens: Tokens): Term | null {
  const token = tokens.peek();
  if (token.kind !== "word" || !constants.has(token.text.toUpperCase()) || !tokens.fields.has(token.text))
    return null;
  tokens.next();
  return { kind: "field", name: token.text, at: token.at };
}

function operatorHint(left: Term): string | null {
  return left.kind === "field" ? `write a comparison, such as ${left.name} = true` : null;
}

function list(tokens: Tokens): Term[] {
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
  if (token.kind === "number" || token.kind === "string") return { kind: "value", value: token.value, at };
  if (token.kind === "placeholder") return { kind: "placeholder", name: token.name, at };
  if (token.kind === "user") return { kind: "user", column: token.column, at };
  if (token.kind !== "word") throw expected(token, "a field or a value");
  const word = token.text.toUpperCase();
  const constant = constants.get(word);
  if (constant !== undefined) return { kind: "value", value: constant, at };
  if (word === "NOW" && tokens.take("(") !== null) return moment(tokens, span(at, tokens.need(")")));
  // A field may have a keyword's name; then an operator follows.
  if (keywords.has(word) && !isComparison(tokens.peek())) throw expected(token, "a field or a value");
  return { kind: "field", name: token.text, at };
}

/** `now()`, or `now() - interval '15 minutes'`. */
function moment(tokens: Tokens, now: Place): Term {
  const earlier = is(tokens.peek(), "-");
  if (!earlier && !is(tokens.peek(), "+")) return { kind: "placeholder", name: "now", at: now };
  tokens.next();
  const hint = `write now() ${earlier ? "-" : "+"} interval '15 minutes'`;
  if (tokens.take("INTERVAL") === null) throw expected(tokens.peek(), "INTERVAL", hint);
  const written = tokens.next();
  if (written.kind !== "string") throw expected(written, "a span of time in single quotes", hint);
  const read = readSpan(written.value, earlier ? -1 : 1);
  if ("message" in read) throw new ConditionSyntaxError(written.at, read.message, read.hint);
  return { kind: "placeholder", name: "now", offset: read.offset, at: span(now, written.at) };
}

function isComparison(token: Token): boolean {
  return token.kind === "symbol" && /^(=|!=|<>|<=?|>=?)$/.test(token.text);
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

function span(from: Place, to: Place): Place {
  return { offset: from.offset, length: to.offset + to.length - from.offset };
}
