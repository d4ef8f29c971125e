import { startsAtRuleRow } from "../../../vocabulary/conditions/conditions.ts";
import { ConditionSyntaxError } from "../hints/condition-problem.ts";
import { type KnownFields, type Token, tokenize } from "../language/condition-tokens.ts";
import type { ConditionExpression } from "../language/condition-tree.ts";
import { expandedExpression } from "../language/expanded-expression.ts";
import { parsePrintedCondition } from "../language/parse-condition.ts";
import { type Clause, type ConditionNames, follows, impliesClause } from "./clause.ts";
import { dnfOf } from "./dnf.ts";

/** One part of a condition, between its outermost ORs. */
export interface Disjunct {
  /** Its text in the condition, without the parentheses around it. */
  readonly text: string;
  readonly clauses: readonly Clause[];
  /** The relation paths of the condition, from the row with the rule. */
  readonly paths: ReadonlySet<string>;
  /** The named conditions that it calls, also by others. */
  readonly calls: ReadonlySet<string>;
}

/** Splits a condition at its outermost ORs. Text that does not parse equals only itself. */
export function disjunctsOf(condition: string, naming: ConditionNames): Disjunct[] {
  const names = fieldNamesOf(naming);
  return splitAtOr(condition).map((text) => {
    const parsed = parsePrintedCondition(text, names);
    if ("problem" in parsed)
      return { text, clauses: [unreadable(text, naming)], paths: new Set(), calls: new Set() };
    return disjunctOf(parsed.expression, text, naming);
  });
}

/** A parsed condition as one disjunct. */
export function disjunctOf(parsed: ConditionExpression, text: string, naming: ConditionNames): Disjunct {
  const paths = new Set<string>();
  const pathOf = (relations: readonly string[]) => {
    paths.add(relations.join("."));
    return naming.pathOf(relations);
  };
  const calls = new Set<string>();
  const expression = expandedExpression(parsed, (name) => {
    calls.add(name);
    return naming.definitionOf?.(name) ?? null;
  });
  return { text, clauses: dnfOf(expression, { ...naming, pathOf }), paths, calls };
}

/** One condition for the rows of several. */
export function joinedByOr(conditions: readonly string[]): string {
  const parts = [...new Set(conditions.flatMap(splitAtOr))];
  if (parts.length === 1) return parts.join();
  const nested = (text: string) => {
    const parsed = parsePrintedCondition(text);
    return "expression" in parsed && /^(?:and|or|not)$/.test(parsed.expression.kind) ? `(${text})` : text;
  };
  return parts.map(nested).join(" OR ");
}

/** Whether the other disjuncts open every row that this one opens: each of its clauses implies one of the others. */
export function isCovered({ clauses }: Disjunct, by: readonly Disjunct[]): boolean {
  const known = by.flatMap((other) => other.clauses);
  return clauses.every((clause) => known.some((other) => impliesClause(clause, other)));
}

/** The literals that are not proven: for each uncovered clause, those of the most similar other clauses. */
export function unprovenOf({ clauses }: Disjunct, by: readonly Disjunct[]): readonly string[] {
  const known = by.flatMap((other) => other.clauses);
  const open = clauses.filter((clause) => !known.some((other) => impliesClause(clause, other)));
  return [...new Set(open.flatMap((clause) => missingOf(clause, known)))];
}

/** The maximum number of alternatives in a text. */
const mostNamed = 8;

/** If several clauses are equally near, one of them is enough: joins them with "or". */
function missingOf(clause: Clause, known: readonly Clause[]): readonly string[] {
  const missing = known.map((other) => [...other.values()].filter((literal) => !follows(literal, clause)));
  const least = Math.min(...missing.map((literals) => literals.length));
  const nearest = missing.filter((literals) => literals.length === least);
  const [only = []] = nearest;
  if (nearest.length < 2) return only.map(({ text }) => text);
  const texts = [...new Set(nearest.map((literals) => literals.map(({ text }) => text).join(" AND ")))];
  const more = texts.length > mostNamed ? [`one of ${texts.length - mostNamed} more`] : [];
  return [[...texts.slice(0, mostNamed), ...more].join(", or ")];
}

/** The field names for parsing, at the end of a relation path. */
export function fieldNamesOf(
  naming: ConditionNames,
  relations: readonly string[] = [],
  depth = 0,
): KnownFields {
  const fields = relations.length === 0 ? naming.fields : naming.pathOf(relations)?.fields;
  return {
    has: (name) => fields?.has(name) === true,
    behind: (path) => {
      const names = path.split(".");
      const target = startsAtRuleRow(names, depth) ? names.slice(1) : [...relations, ...names];
      return fieldNamesOf(naming, target, depth + 1);
    },
  };
}

/** The words of EXISTS do not determine its meaning, so text with EXISTS equals nothing. */
function unreadable(text: string, naming: ConditionNames): Clause {
  const words = text.match(/[\w.]+/g) ?? [];
  const exists = words.some((word) => /^exists$/i.test(word));
  const meaning = exists ? unread++ : words.map((word) => meaningOf(word, naming));
  const key = JSON.stringify(["unreadable", text, meaning]);
  return new Map([[key, { key, text, kind: "other" }]]);
}

let unread = 0;

function meaningOf(word: string, { nameOf, pathOf }: ConditionNames): unknown {
  const names = word.split(".");
  const last = names.pop() ?? "";
  if (names.length === 0) return nameOf(last);
  const path = pathOf(names);
  return path === null ? word : [...path.hops, path.nameOf(last)];
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

/** A field can be called `or` too. The operator comes after the end of a comparison, which can be another field. */
function isOr(token: Token, before: Token | undefined): boolean {
  if (token.kind !== "word" || token.text.toUpperCase() !== "OR" || before === undefined) return false;
  // At the end of a comparison these words are not fields.
  if (before.kind === "word") return !/^(and|or|not|in|is|like|ilike|between)$/i.test(before.text);
  return before.kind !== "symbol" || before.text === ")";
}

function isSymbol(token: Token | undefined, text: string): boolean {
  return token?.kind === "symbol" && token.text === text;
}

/** Removes the parentheses of `(a = 1 AND b = 2)`, but not those of `(a = 1) AND (b = 2)`. */
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
