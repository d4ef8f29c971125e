import { ConditionSyntaxError, type Place } from "./condition-problem.ts";
import type { Token } from "./condition-tokens.ts";

/** Which names are fields, of a model and of the models that paths lead to from it. */
export interface FieldNames {
  has(name: string): boolean;
  /** Those of the model at the end of a path. */
  behind(path: string): FieldNames;
}

/** No name is known to be a field. */
export const noNames: FieldNames = { has: () => false, behind: () => noNames };

/** The tokens of a condition, taken one by one. */
export interface Tokens {
  readonly fields: FieldNames;
  /** The same tokens, read where a path leads. */
  behind(path: string): Tokens;
  peek(ahead?: number): Token;
  next(): Token;
  /** Takes the next token if it is this keyword or symbol. */
  take(text: string): Place | null;
  need(text: string): Place;
  /** The text of what comes until the parenthesis at hand closes, but for some tokens at first. */
  rest(skipped: number): string;
}

/** Begins to read tokens, which end with one of kind `end`. */
export function createTokens(source: string, tokens: readonly Token[], names: FieldNames): Tokens {
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
  const rest = (skipped: number) => {
    const start = peek(skipped).at.offset;
    let depth = 0;
    for (let ahead = skipped; ; ahead++) {
      const token = peek(ahead);
      if (is(token, "(")) depth++;
      if (token.kind === "end" || (is(token, ")") && depth-- === 0))
        return source.slice(start, token.at.offset).trimEnd();
    }
  };
  const reading = (fields: FieldNames): Tokens => {
    return { fields, behind: (path) => reading(fields.behind(path)), peek, next, take, need, rest };
  };
  return reading(names);
}

/** Whether a token is this keyword or symbol. */
export function is(token: Token, text: string): boolean {
  return (token.kind === "word" || token.kind === "symbol") && token.text.toUpperCase() === text;
}

/** What should have stood where something else was found. */
export function expected(found: Token, what: string, hint: string | null = null): ConditionSyntaxError {
  const instead = found.kind === "end" ? "the end of the condition" : found.text;
  return new ConditionSyntaxError(found.at, `expected ${what}, found ${instead}`, hint);
}

/** Whether a token compares what stands on both sides of it. */
export function isComparison(token: Token): boolean {
  return token.kind === "symbol" && /^(=|!=|<>|<=?|>=?)$/.test(token.text);
}

/** From the start of one stretch to the end of another. */
export function span(from: Place, to: Place): Place {
  return { offset: from.offset, length: to.offset + to.length - from.offset };
}
