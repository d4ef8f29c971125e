import { type Claim, claims } from "../../../vocabulary/conditions/conditions.ts";
import { didYouMean } from "../../../vocabulary/nearest.ts";
import { ConditionSyntaxError, type TextRange } from "../hints/condition-problem.ts";
import { callerHint } from "../hints/foreign-names.ts";
import { isForeignSyntax, unreadableError } from "../hints/syntax-hints.ts";

/** The names that are fields, of a model and of the models behind its paths. */
export interface KnownFields {
  has(name: string): boolean;
  /** The fields of the model at the end of a path. */
  behind(path: string): KnownFields;
}

/** Knows no fields. */
export const noFields: KnownFields = { has: () => false, behind: () => noFields };

/** The tokens of a condition, consumed one by one. */
export interface Tokens {
  readonly fields: KnownFields;
  /** The same tokens, with the fields at the end of a path. */
  behind(path: string): Tokens;
  peek(ahead?: number): Token;
  next(): Token;
  /** Takes the next token if it is this keyword or symbol. */
  take(text: string): TextRange | null;
  need(text: string): TextRange;
  /** The text up to the closing parenthesis, without some tokens at the start. */
  rest(skipped: number): string;
}

/** Starts reading tokens. The last one is of kind `end`. */
export function createTokens(source: string, tokens: readonly Token[], names: KnownFields): Tokens {
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
  const reading = (fields: KnownFields): Tokens => {
    return { fields, behind: (path) => reading(fields.behind(path)), peek, next, take, need, rest };
  };
  return reading(names);
}

/** Whether a token is this keyword or symbol. */
export function is(token: Token, text: string): boolean {
  return (token.kind === "word" || token.kind === "symbol") && token.text.toUpperCase() === text;
}

/** The error for an unexpected token. */
export function expected(found: Token, what: string, hint: string | null = null): ConditionSyntaxError {
  const instead = found.kind === "end" ? "the end of the condition" : found.text;
  return new ConditionSyntaxError(found.at, `expected ${what}, found ${instead}`, hint);
}

/** Whether a token is a comparison operator. */
export function isComparison(token: Token): boolean {
  return token.kind === "symbol" && /^(=|!=|<>|<=?|>=?)$/.test(token.text);
}

/** From the start of one range to the end of another. */
export function span(from: TextRange, to: TextRange): TextRange {
  return { offset: from.offset, length: to.offset + to.length - from.offset };
}

export type Token =
  | { readonly kind: "word"; readonly text: string; readonly at: TextRange }
  | { readonly kind: "symbol"; readonly text: string; readonly at: TextRange }
  | { readonly kind: "number"; readonly value: number; readonly text: string; readonly at: TextRange }
  | { readonly kind: "string"; readonly value: string; readonly text: string; readonly at: TextRange }
  | { readonly kind: "placeholder"; readonly name: Claim; readonly text: string; readonly at: TextRange }
  | { readonly kind: "user"; readonly column: string; readonly text: string; readonly at: TextRange }
  | { readonly kind: "end"; readonly text: ""; readonly at: TextRange };

const patterns = {
  blank: /\s+/y,
  number: /[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?/y,
  string: /'([^']|'')*'/y,
  placeholder: /\{[^{}]*\}/y,
  word: /[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)*/y,
  symbol: /<=|>=|<>|!=|[=<>(),+*-]/y,
} as const;

/** Splits a condition into tokens; the last one is `end`. Throws `ConditionSyntaxError`. */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  let offset = 0;
  const next = (kind: keyof typeof patterns): string | null => {
    const pattern = patterns[kind];
    pattern.lastIndex = offset;
    return pattern.exec(text)?.[0] ?? null;
  };
  for (;;) {
    offset += next("blank")?.length ?? 0;
    if (offset >= text.length)
      return [...tokens, { kind: "end", text: "", at: { offset: text.length, length: 0 } }];
    if (isForeignSyntax(text, offset)) throw unreadableError(text, offset);
    const token =
      numberToken(next("number"), offset) ?? stringToken(next("string"), offset) ?? wordToken(next, offset);
    if (token === null) throw unreadableError(text, offset);
    const glued = /^[A-Za-z0-9_.]/.test(text.slice(offset + token.text.length));
    if (token.kind === "number" && glued)
      throw new ConditionSyntaxError(token.at, "the number is followed by letters without a space");
    tokens.push(token);
    offset += token.text.length;
  }
}

function numberToken(text: string | null, offset: number): Token | null {
  if (text === null) return null;
  const at = { offset, length: text.length };
  if (!Number.isFinite(Number(text))) throw new ConditionSyntaxError(at, "the number is too large");
  return { kind: "number", value: Number(text), text, at };
}

function stringToken(text: string | null, offset: number): Token | null {
  if (text === null) return null;
  return {
    kind: "string",
    value: text.slice(1, -1).replaceAll("''", "'"),
    text,
    at: { offset, length: text.length },
  };
}

function wordToken(next: (kind: keyof typeof patterns) => string | null, offset: number): Token | null {
  const placeholder = next("placeholder");
  if (placeholder !== null) return placeholderToken(placeholder, { offset, length: placeholder.length });
  const word = next("word");
  if (word !== null) return { kind: "word", text: word, at: { offset, length: word.length } };
  const symbol = next("symbol");
  return symbol === null ? null : { kind: "symbol", text: symbol, at: { offset, length: symbol.length } };
}

const beyondCaller =
  "compare with one column of the caller, such as {user.role}; for other rows, write EXISTS";

function placeholderToken(text: string, at: TextRange): Token {
  const name = claims.find((claim) => text === `{${claim}}`);
  if (name !== undefined) return { kind: "placeholder", name, text, at };
  const column = /^\{user\.([A-Za-z][A-Za-z0-9_]*)\}$/.exec(text)?.[1];
  if (column !== undefined) return { kind: "user", column, text, at };
  if (/^\{user(\.[A-Za-z][A-Za-z0-9_]*){2,}\}$/.test(text))
    throw new ConditionSyntaxError(at, `${text} goes beyond the caller's row`, beyondCaller);
  const known = [...claims.map((claim) => `{${claim}}`), "{user.<column>}"];
  const hint =
    callerHint(text.slice(1, -1).trim()) ?? didYouMean(text, known) ?? `placeholders are ${known.join(", ")}`;
  throw new ConditionSyntaxError(at, `unknown placeholder ${text}`, hint);
}
