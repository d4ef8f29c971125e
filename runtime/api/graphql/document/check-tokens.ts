import { GraphQLError, Lexer, Source, type Token, TokenKind } from "graphql";
import { refuse, refuseIntrospection, refuseText } from "./document-problem.ts";
import { textLimits } from "./text-limits.ts";

/** How many brackets a token opens. */
const opened: Partial<Record<TokenKind, number>> = {
  [TokenKind.BRACE_L]: 1,
  [TokenKind.BRACKET_L]: 1,
  [TokenKind.PAREN_L]: 1,
  [TokenKind.BRACE_R]: -1,
  [TokenKind.BRACKET_R]: -1,
  [TokenKind.PAREN_R]: -1,
};

/**
 * Reads the tokens of a text before anything is made of them, and tells how many there are. Errors: 400 for a text that
 * is too long or has no tokens of GraphQL; 403 for introspection, in whatever part of the document it hides.
 */
export function checkTokens(text: string): number {
  if (Buffer.byteLength(text) > textLimits.bytes) {
    throw refuse("query", `is longer than ${textLimits.bytes} bytes`);
  }
  const seen = { tokens: 0, directives: 0, depth: 0, deepest: 0, nul: false };
  const lexer = new Lexer(new Source(text));
  for (let token = next(lexer); token.kind !== TokenKind.EOF; token = next(lexer)) {
    if (++seen.tokens > textLimits.tokens) throw refuse("query", `has more than ${textLimits.tokens} tokens`);
    look(token, seen);
  }
  // After the loop, since introspection is 403 whatever else is wrong.
  if (seen.deepest > textLimits.nesting) {
    throw refuse("query", `is nested deeper than ${textLimits.nesting} levels`);
  }
  if (seen.directives > textLimits.directives) {
    throw refuse("query", `has more than ${textLimits.directives} directives`);
  }
  if (seen.nul) throw refuse("query", "contains a NUL character in a string");
  return seen.tokens;
}

interface Seen {
  depth: number;
  deepest: number;
  directives: number;
  nul: boolean;
}

function look({ kind, value }: Token, seen: Seen): void {
  if (kind === TokenKind.NAME) {
    if (value === "__schema" || value === "__type") throw refuseIntrospection();
  } else if (kind === TokenKind.STRING || kind === TokenKind.BLOCK_STRING) {
    // The lexer refuses half of a surrogate pair, but not this; PostgreSQL stores neither.
    seen.nul ||= value.includes("\0");
  } else {
    if (kind === TokenKind.AT) seen.directives++;
    seen.depth += opened[kind] ?? 0;
    seen.deepest = Math.max(seen.deepest, seen.depth);
  }
}

function next(lexer: Lexer): Token {
  try {
    return lexer.advance();
  } catch (error) {
    throw error instanceof GraphQLError ? refuseText(error) : error;
  }
}
