import { ConditionSyntaxError } from "./condition-problem.ts";
import { listHint } from "./foreign-names.ts";

const calledByBraces = "write placeholders in braces, such as {user_id}";
const inSingleQuotes = "write strings in single quotes, and field names without quotes";
const asPattern = "match text with LIKE or ILIKE: % stands for any characters, _ for one";

/** Syntax of other languages, with the equivalent here. Longer symbols come first. */
const syntaxHints: readonly (readonly [string, string])[] = [
  ["<=>", "write ="],
  ["=>", "write >="],
  ["=<", "write <="],
  ["=!", "write !="],
  ["==", "write ="],
  ["&&", "write AND; to look for one of several values in a list, write OVERLAPS ('a', 'b')"],
  ["||", "write OR between conditions; text cannot be concatenated"],
  ["->", "write paths with dots; conditions cannot read values inside JSON"],
  ["::", "casts are not supported: write the value in the type of the field"],
  ["--", "comments are not supported"],
  ["/*", "comments are not supported"],
  ["!~", asPattern],
  ["~", asPattern],
  ["@>", `${listHint}; for rows of other models, write EXISTS (<relation> WHERE …)`],
  ["<@", listHint],
  ["?=", "write EXISTS (<path> WHERE <field> = …)"],
  ["@", "the caller's values are {user_id}, {email} and {user.<column>}, the time is now()"],
  [":", calledByBraces],
  ["?", calledByBraces],
  ["$", calledByBraces],
  ['"', inSingleQuotes],
  ["“", inSingleQuotes],
  ["”", inSingleQuotes],
  ["‘", inSingleQuotes],
  ["’", inSingleQuotes],
  ["`", "write field names without quotes"],
  ["!", "write NOT"],
  ["≠", "write !="],
  ["≤", "write <="],
  ["≥", "write >="],
  ["[", "write values in parentheses: IN ('a', 'b'); to look for an element of a list, write CONTAINS 'a'"],
  [
    "{",
    "a condition is a text such as lead_id = {user_id}, without JSON; write placeholders in one pair of braces",
  ],
  [";", "a condition ends without ;"],
  ["%", "write a pattern in single quotes: LIKE '%a%'"],
  ["/", "arithmetic is not supported; write paths with dots"],
];

/** Whether two symbols in a row are foreign syntax. */
export function isForeignSyntax(text: string, offset: number): boolean {
  return /^(<=>|<@|=[=>!<]|->|--)/.test(text.slice(offset, offset + 3));
}

/** The error for text that is not a token. */
export function unreadableError(text: string, offset: number): ConditionSyntaxError {
  const rest = text.slice(offset);
  if (rest.startsWith("'")) {
    const hint = text.slice(0, offset).includes("'") ? "a quote within a string is doubled: 'it''s'" : null;
    return new ConditionSyntaxError({ offset, length: rest.length }, "the string has no closing quote", hint);
  }
  for (const [symbol, hint] of syntaxHints)
    if (rest.startsWith(symbol))
      return new ConditionSyntaxError({ offset, length: symbol.length }, `unexpected ${symbol}`, hint);
  const character = String.fromCodePoint(rest.codePointAt(0) ?? 0);
  return new ConditionSyntaxError({ offset, length: character.length }, `unexpected ${character}`);
}
