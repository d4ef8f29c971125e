import type { ConditionSyntaxError } from "./condition-problem.ts";
import type { Token } from "./condition-tokens.ts";
import { expected, is, isComparison, type Tokens } from "./token-reader.ts";

// EXISTS as people write it who know SQL, and how it is written here.

/** What EXISTS looks like. */
export const shape = "EXISTS (memberships WHERE user_id = {user_id})";
/** Whether a token is one of these keywords or symbols. */
export const isOneOf = (token: Token, words: readonly string[]) => words.some((word) => is(token, word));
const joins = ["JOIN", "INNER", "LEFT", "RIGHT", "CROSS", "ON", "USING"];

/** What stands in place of the path of EXISTS. */
export function noPath(found: Token): ConditionSyntaxError {
  return expected(found, "a path over relations after EXISTS (", `such as ${shape}`);
}

/** EXISTS goes on after its path with something else than WHERE. */
export function misreadExists(path: Token, tokens: Tokens): ConditionSyntaxError {
  const found = tokens.peek();
  if (isOneOf(path, ["SELECT", "FROM"]) && found.kind !== "end") return select(path, tokens);
  const error = (hint: string) => expected(found, "WHERE or )", hint);
  if (
    isComparison(found) ||
    isOneOf(found, ["IN", "IS", "LIKE", "ILIKE", "BETWEEN", "CONTAINS", "OVERLAPS"])
  ) {
    const hint = `a path over relations stands first: EXISTS (<relation> WHERE ${path.text} …)`;
    return expected(found, `WHERE after the path "${path.text}"`, hint);
  }
  if (isOneOf(found, joins))
    return error(
      `a path goes over relations by their names and joins nothing: EXISTS (${path.text}.<relation> WHERE …)`,
    );
  const alias = is(found, "AS") || (found.kind === "word" && isOneOf(tokens.peek(1), ["WHERE", ...joins]));
  if (alias)
    return error(
      `there are no aliases: within EXISTS (${path.text} WHERE …) a plain name is a field of ${path.text}, and this.<field> one of the row itself`,
    );
  if (found.kind === "end") return error("a parenthesis is still open");
  const skipped = isOneOf(found, ["AND", "OR", ","]) ? 1 : 0;
  return error(`write EXISTS (${path.text} WHERE ${tokens.rest(skipped)})`);
}

/** A SELECT with its table, as far as it can be read. */
function select(path: Token, tokens: Tokens): ConditionSyntaxError {
  const table = tableOf(path, tokens);
  const hint = `write EXISTS (${table ?? "<relation>"} WHERE …): a path over relations, without SELECT, FROM and joins`;
  return expected(path, "a path over relations after EXISTS (", hint);
}

function tableOf(path: Token, tokens: Tokens): string | null {
  let from = is(path, "FROM") ? 0 : null;
  for (let ahead = 0; from === null; ahead++) {
    const token = tokens.peek(ahead);
    if (token.kind === "end") return null;
    if (is(token, "FROM")) from = ahead + 1;
  }
  const table = tokens.peek(from);
  return table.kind === "word" ? table.text : null;
}
