import { GraphQLError, Lexer, Source, type Token, TokenKind } from "graphql";
import { textLimits } from "./limits.ts";
import { refuse, refuseIntrospection, refuseText } from "./refusal.ts";

/**
 * Reads the tokens of a text before anything is made of them, and tells how many there are. Errors: 400 for a text that
 * is too long or has no tokens of GraphQL; 403 for introspection, in whatever part of the document it hides.
 */
export function checkTokens(text: string): number {
  if (Buffer.byteLength(text) > textLimits.bytes) {
    throw refuse("query", `is longer than ${textLimits.bytes} bytes`);
  }
  const lexer = new Lexer(new Source(text));
  let tokens = 0;
  let directives = 0;
  for (let token = next(lexer); token.kind !== TokenKind.EOF; token = next(lexer)) {
    if (++tokens > textLimits.tokens) throw refuse("query", `has more than ${textLimits.tokens} tokens`);
    if (token.kind === TokenKind.AT) directives++;
    else if (token.kind === TokenKind.NAME) refuseMetaField(token.value);
    else if (token.kind === TokenKind.STRING || token.kind === TokenKind.BLOCK_STRING) refuseNul(token.value);
  }
  // After the loop, since introspection is 403 whatever else is wrong.
  if (directives > textLimits.directives) {
    throw refuse("query", `has more than ${textLimits.directives} directives`);
  }
  return tokens;
}

function next(lexer: Lexer): Token {
  try {
    return lexer.advance();
  } catch (error) {
    throw error instanceof GraphQLError ? refuseText(error) : error;
  }
}

function refuseMetaField(name: string): void {
  if (name === "__schema" || name === "__type") throw refuseIntrospection();
}

/** The lexer itself refuses half of a surrogate pair, but not this, which PostgreSQL stores nowhere. */
function refuseNul(value: string): void {
  if (value.includes("\0")) throw refuse("query", "contains a NUL character in a string");
}
