import { ConditionSyntaxError } from "./condition-problem.ts";
import { type Token, tokenize } from "./condition-tokens.ts";
import { parseCondition } from "./parse-condition.ts";
import type { FieldNames } from "./token-reader.ts";
import { type Way, waysOf } from "./ways.ts";

/** One part of a condition, between its outermost ORs. */
export interface Alternative {
  /** As it stands in the condition, without parentheses around it. */
  readonly text: string;
  readonly ways: readonly Way[];
}

/** What the fields of a condition are called when it is compared, and which of them the model has. */
export interface Naming {
  readonly fields: ReadonlySet<string>;
  nameOf(field: string): string;
}

/** Splits a condition at its outermost ORs. Text that is no condition only equals itself, while its words mean the same. */
export function alternativesOf(condition: string, naming: Naming): Alternative[] {
  // Which names of other models are fields is not known here.
  const names = { has: (name: string) => naming.fields.has(name), behind: () => noFields };
  return splitAtOr(condition).map((text) => {
    const parsed = parseCondition(text, names);
    const ways = "problem" in parsed ? [unreadable(text, naming)] : waysOf(parsed.expression, naming.nameOf);
    return { text, ways };
  });
}

/** Whether the others open every row that one opens: each of its ways demands all that one of theirs does. */
export function isCovered({ ways }: Alternative, by: readonly Alternative[]): boolean {
  const known = by.flatMap((other) => other.ways);
  return ways.every((way) => known.some((other) => [...other].every((demand) => way.has(demand))));
}

const noFields: FieldNames = { has: () => false, behind: () => noFields };

function unreadable(text: string, { nameOf }: Naming): Way {
  const words = text.match(/[\w.]+/g) ?? [];
  return new Set([JSON.stringify(["unreadable", text, ...words.map(nameOf)])]);
}

/** The texts of the parts of a condition between its outermost ORs. */
export function splitAtOr(condition: string): string[] {
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

/** A field may be called `or` too: the operator follows the end of a comparison, which another field may be. */
function isOr(token: Token, before: Token | undefined): boolean {
  if (token.kind !== "word" || token.text.toUpperCase() !== "OR" || before === undefined) return false;
  // One of these words is no field where it ends a comparison.
  if (before.kind === "word") return !/^(and|or|not|in|is|like|ilike|between)$/i.test(before.text);
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
