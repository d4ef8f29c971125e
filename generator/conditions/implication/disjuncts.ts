import { beginsAtItself } from "../../../vocabulary/conditions/conditions.ts";
import { ConditionSyntaxError } from "../hints/condition-problem.ts";
import { type FieldNames, type Token, tokenize } from "../language/condition-tokens.ts";
import { parseCondition } from "../language/parse-condition.ts";
import { follows, impliesWay, type Naming, type Way } from "./clause.ts";
import { waysOf } from "./dnf.ts";

/** One part of a condition, between its outermost ORs. */
export interface Alternative {
  /** As it stands in the condition, without parentheses around it. */
  readonly text: string;
  readonly ways: readonly Way[];
  /** The ways over relations that it goes, from the row whose rule it is. */
  readonly paths: ReadonlySet<string>;
}

/** Splits a condition at its outermost ORs. Text that is no condition only equals itself, while its words mean the same. */
export function alternativesOf(condition: string, naming: Naming): Alternative[] {
  const names = fieldNamesOf(naming);
  return splitAtOr(condition).map((text) => {
    const parsed = parseCondition(text, names);
    if ("problem" in parsed) return { text, ways: [unreadable(text, naming)], paths: new Set() };
    const paths = new Set<string>();
    const wayOf = (relations: readonly string[]) => {
      paths.add(relations.join("."));
      return naming.wayOf(relations);
    };
    return { text, ways: waysOf(parsed.expression, { ...naming, wayOf }), paths };
  });
}

/** Whether the others open every row that one opens: each of its ways demands all that one of theirs does. */
export function isCovered({ ways }: Alternative, by: readonly Alternative[]): boolean {
  const known = by.flatMap((other) => other.ways);
  return ways.every((way) => known.some((other) => impliesWay(way, other)));
}

/** What nothing here is proven to demand any more: for each way in question the sentences of the nearest ones of the others. */
export function unprovenOf({ ways }: Alternative, by: readonly Alternative[]): readonly string[] {
  const known = by.flatMap((other) => other.ways);
  const open = ways.filter((way) => !known.some((other) => impliesWay(way, other)));
  return [...new Set(open.flatMap((way) => missingOf(way, known)))];
}

/** So many of them are named. */
const mostNamed = 8;

/** Of several that are as near as each other, one would do: they stand in one sentence. */
function missingOf(way: Way, known: readonly Way[]): readonly string[] {
  const missing = known.map((other) => [...other.values()].filter((demand) => !follows(demand, way)));
  const least = Math.min(...missing.map((demands) => demands.length));
  const nearest = missing.filter((demands) => demands.length === least);
  const [only = []] = nearest;
  if (nearest.length < 2) return only.map(({ text }) => text);
  const texts = [...new Set(nearest.map((demands) => demands.map(({ text }) => text).join(" AND ")))];
  const more = texts.length > mostNamed ? [`one of ${texts.length - mostNamed} more`] : [];
  return [[...texts.slice(0, mostNamed), ...more].join(", or ")];
}

/** The names that a condition is read with, at the row that relations lead to. */
export function fieldNamesOf(naming: Naming, relations: readonly string[] = [], depth = 0): FieldNames {
  const fields = relations.length === 0 ? naming.fields : naming.wayOf(relations)?.fields;
  return {
    has: (name) => fields?.has(name) === true,
    behind: (path) => {
      const names = path.split(".");
      const way = beginsAtItself(names, depth) ? names.slice(1) : [...relations, ...names];
      return fieldNamesOf(naming, way, depth + 1);
    },
  };
}

/** What EXISTS means is not in its words, so that such a text equals nothing. */
function unreadable(text: string, naming: Naming): Way {
  const words = text.match(/[\w.]+/g) ?? [];
  const exists = words.some((word) => /^exists$/i.test(word));
  const meaning = exists ? unread++ : words.map((word) => meaningOf(word, naming));
  const key = JSON.stringify(["unreadable", text, meaning]);
  return new Map([[key, { key, text, kind: "other" }]]);
}

let unread = 0;

function meaningOf(word: string, { nameOf, wayOf }: Naming): unknown {
  const names = word.split(".");
  const last = names.pop() ?? "";
  if (names.length === 0) return nameOf(last);
  const way = wayOf(names);
  return way === null ? word : [...way.hops, way.nameOf(last)];
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
