import { ConditionSyntaxError } from "./condition-problem.ts";
import { listHint } from "./foreign-names.ts";

const calledByBraces = "write placeholders in braces, such as {user_id}";
const inSingleQuotes = "write strings in single quotes, and field names without quotes";
const asPattern = "text is matched by LIKE and ILIKE, with % for any characters and _ for one";

/** Syntax of other languages, with the equivalent here. Longer symbols come first. */
const syntaxHints: readonly (readonly [string, string])[] = [
  ["<=>", "write ="],
  ["=>", "write >="],
  ["=<", "write <="],
  ["=!", "write !="],
  ["==", "write ="],
  ["&&", "write AND; whether a list has one of several values is asked by OVERLAPS ('a', 'b')"],
  ["||", "write OR between conditions; texts are not put together"],
  ["->", "a path is written with dots, and nothing looks into JSON"],
  ["::", "there are no casts: values are written as the field has them"],
  ["--", "there are no comments"],
  ["/*", "there are no comments"],
  ["!~", asPattern],
  ["~", asPattern],
  ["@>", `${listHint}; rows of other models are asked for by EXISTS (<relation> WHERE …)`],
  ["<@", listHint],
  ["?=", "write EXISTS (<path> WHERE <field> = …)"],
  ["@", "the caller's are {user_id}, {email} and {user.<column>}, the time is now()"],
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
  [";", "a condition is one, and ends without ;"],
  ["%", "write a pattern in single quotes: LIKE '%a%'"],
  ["/", "there is no arithmetic, and a path is written with dots"],
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
  for (const [habit, hint] of syntaxHints)
    if (rest.startsWith(habit))
      return new ConditionSyntaxError({ offset, length: habit.length }, `unexpected ${habit}`, hint);
  const character = String.fromCodePoint(rest.codePointAt(0) ?? 0);
  return new ConditionSyntaxError({ offset, length: character.length }, `unexpected ${character}`);
}
