import { parseCondition } from "./parse.ts";
import { ConditionSyntaxError } from "./problem.ts";
import { type Token, tokenize } from "./tokens.ts";
import type { Expression, Term } from "./tree.ts";

/** One way to fulfil a condition, and what must hold for it, in one spelling. */
export interface Alternative {
  /** As it stands in the condition, without parentheses around it. */
  readonly text: string;
  /** Printed trees; a row is open where all of them hold. */
  readonly demands: ReadonlySet<string>;
}

/** What the fields of a condition are called when it is compared, and which of them the model has. */
export interface Naming {
  readonly fields: ReadonlySet<string>;
  nameOf(field: string): string;
}

/** Splits a condition at its outermost ORs. Text that is no condition is one alternative, which only equals itself. */
export function alternativesOf(condition: string, naming: Naming): Alternative[] {
  return splitAtOr(condition).map((text) => {
    const parsed = parseCondition(text, naming.fields);
    const demands = "problem" in parsed ? [`unreadable ${text}`] : demandsOf(parsed.expression, naming);
    return { text, demands: new Set(demands) };
  });
}

/** Whether every row that the narrow one opens is open by the wide one: it demands all that the wide one does. */
export function covers(wide: Alternative, narrow: Alternative): boolean {
  return [...wide.demands].every((demand) => narrow.demands.has(demand));
}

function splitAtOr(condition: string): string[] {
  let tokens: Token[];
  try {
    tokens = tokenize(condition);
  } catch (error) {
    if (error instanceof ConditionSyntaxError) return [condition];
    throw error;
  }
  const parts: Token[][] = [[]];
  let depth = 0;
  for (const [index, token] of tokens.entries()) {
    if (isSymbol(token, "(")) depth++;
    if (isSymbol(token, ")")) depth--;
    if (depth === 0 && isOr(token, tokens[index - 1])) parts.push([]);
    else if (token.kind !== "end") parts.at(-1)?.push(token);
  }
  return parts.map((part) => textOf(condition, withoutParentheses(part)));
}

/** A field may be called `or` too: the operator follows the end of a comparison. */
function isOr(token: Token, before: Token | undefined): boolean {
  if (token.kind !== "word" || token.text.toUpperCase() !== "OR" || before === undefined) return false;
  if (before.kind === "word") return /^(true|false|null)$/i.test(before.text);
  return before.kind !== "symbol" || before.text === ")";
}

function isSymbol(token: Token | undefined, text: string): boolean {
  return token?.kind === "symbol" && token.text === text;
}

/** `(a = 1 AND b = 2)` without its parentheses; those of `(a = 1) AND (b = 2)` are not a pair. */
function withoutParentheses(tokens: readonly Token[]): readonly Token[] {
  let depth = 0;
  const closing = tokens.findIndex((token) => {
    depth += isSymbol(token, "(") ? 1 : isSymbol(token, ")") ? -1 : 0;
    return depth === 0;
  });
  const around = isSymbol(tokens[0], "(") && closing === tokens.length - 1;
  return around ? withoutParentheses(tokens.slice(1, -1)) : tokens;
}

function textOf(condition: string, tokens: readonly Token[]): string {
  const [first, last] = [tokens[0], tokens.at(-1)];
  return first === undefined || last === undefined
    ? condition
    : condition.slice(first.at.offset, last.at.offset + last.at.length);
}

function demandsOf(expression: Expression, naming: Naming): string[] {
  if (expression.kind !== "and") return [printed(expression, naming)];
  return expression.items.flatMap((item) => demandsOf(item, naming));
}

/** Prints a tree without its places, with the parts of AND and OR sorted. */
function printed(expression: Expression, naming: Naming): string {
  if (expression.kind === "and" || expression.kind === "or") {
    const items = expression.items.map((item) => printed(item, naming));
    return `(${items.sort().join(` ${expression.kind} `)})`;
  }
  if (expression.kind === "not") return `(not ${printed(expression.item, naming)})`;
  return JSON.stringify(expression, (key, value: unknown) => {
    if (key === "at") return undefined;
    return isField(value) ? `field ${naming.nameOf(value.name)}` : value;
  });
}

function isField(value: unknown): value is Extract<Term, { kind: "field" }> {
  return typeof value === "object" && value !== null && "kind" in value && value.kind === "field";
}
