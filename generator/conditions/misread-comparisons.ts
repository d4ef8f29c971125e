import type { Token } from "./condition-tokens.ts";
import type { Term } from "./condition-tree.ts";
import { termText } from "./expression-text.ts";
import { asksForElement, callerHint, foreignHint, ofLists } from "./foreign-names.ts";
import { isOneOf, shape } from "./misread-exists.ts";
import { anyHint } from "./misread-lists.ts";
import { is, isComparison, type Tokens } from "./token-reader.ts";

// Comparisons as people write them who know SQL, and how they are written here.

const ofOtherModels = `rows of other models are asked for by ${shape}`;
const operators = "operators are = != < <= > >= LIKE ILIKE IN BETWEEN CONTAINS OVERLAPS and IS NULL";
const interval = "now() - interval '15 minutes'";

/** What to write where neither a field nor a value stands. */
export function valueHint(found: Token, tokens: Tokens): string | null {
  if (!is(found, "(")) return null;
  if (!is(tokens.peek(), "SELECT")) return "a field or a value stands without parentheses";
  const selected = tokens.peek(1);
  return (selected.kind === "word" ? callerHint(selected.text) : null) ?? ofOtherModels;
}

/** What to write where IS is followed by something else than NULL. */
export function isHint(left: Term, found: Token, negated: boolean): string {
  const isDistinct = is(found, "DISTINCT");
  const shown = found.kind === "end" || isDistinct ? "…" : found.text;
  return `IS asks for NULL alone: write ${termText(left)} ${negated === isDistinct ? "=" : "!="} ${shown}`;
}

/** What to write where a comparison has no operator. */
export function operatorHint(left: Term, found: Token, following: Token): string | null {
  if (left.kind === "field") return afterField(left.name, found, following);
  if (left.kind !== "value" || !isEnd(found)) return operators;
  if (left.value === true) return "a rule without a condition opens all rows";
  if (left.value === false) return "without a rule no row is open";
  return `each part is a comparison of its own; one of several values is IN (…, ${termText(left)})`;
}

function afterField(name: string, found: Token, following: Token): string {
  const word = name.toUpperCase();
  if (word === "EXISTS" && found.kind === "word")
    return `the path and its condition stand in parentheses: EXISTS (${found.text} WHERE …)`;
  if (is(found, "EXISTS")) return `the path stands in the parentheses: EXISTS (${name} WHERE …)`;
  if (word === "WHERE") return "a condition begins without WHERE";
  if (word === "SELECT") return (found.kind === "word" ? callerHint(found.text) : null) ?? ofOtherModels;
  if (word === "CASE") return "write it with AND, OR and NOT";
  if (is(found, "(")) return functionHint(name);
  const isMoment = isOneOf(found, ["+", "-"]) && isOneOf(following, ["INTERVAL"]);
  if (isMoment) return `only now() takes an interval: ${name} > ${interval}`;
  if (isOneOf(found, ["+", "-", "*"])) return "there is no arithmetic";
  if (found.kind === "word" && asksForElement(found.text)) return ofLists;
  if (isEnd(found)) return `write a comparison, such as ${name} = true`;
  return isOneOf(found, [")"])
    ? "a field or a value stands without parentheses, within a comparison"
    : operators;
}

function isEnd(found: Token): boolean {
  return found.kind === "end" || isOneOf(found, ["AND", "OR"]);
}

/** What to write in place of a function. */
function functionHint(name: string): string {
  const known = foreignHint(name);
  if (known !== null) return known;
  const last = name.split(".").at(-1)?.toUpperCase() ?? "";
  if (asksForElement(last)) return ofLists;
  return ["COUNT", "ANY", "SOME", "EXISTS", "LENGTH", "SIZE"].includes(last)
    ? "EXISTS (<relation> WHERE …) asks whether there is a row, and NOT EXISTS whether there is none"
    : "there are no functions but now()";
}

/** What to write after NOT in place of what is no operator. */
export function notHint(left: Term, found: Token): string {
  if (isOneOf(found, ["CONTAINS", "OVERLAPS"]))
    return `write NOT ${termText(left)} ${found.text.toUpperCase()} …`;
  if (is(found, "NULL")) return `write ${termText(left)} IS NOT NULL`;
  const value = isComparison(found) || found.kind === "end" ? "…" : found.text;
  return `write ${termText(left)} != ${value}`;
}

/** What to write where a condition goes on after its end. */
export function strayHint(found: Token, tokens: Tokens): string | null {
  const before = tokens.peek(-1);
  if (is(found, "WHERE")) return `the condition of EXISTS stands within its parentheses: ${shape}`;
  if (is(found, "EXISTS")) return "write AND or OR before EXISTS";
  if (is(found, ",")) return "write AND, or OR where one of both is enough";
  if (is(found, "(") && before.kind === "word") return afterCall(before.text, tokens);
  if (isOneOf(found, ["+", "-"]) && before.kind === "word")
    return foreignHint(hyphenated(before.text, tokens)) ?? foreignHint(before.text) ?? arithmetic;
  const isMoment = isOneOf(found, ["+", "-"]) || (found.kind === "number" && /^[+-]/.test(found.text));
  return isMoment ? arithmetic : null;
}

/** A name that goes on after hyphens, which no field has. */
function hyphenated(start: string, tokens: Tokens): string {
  let name = start;
  for (let ahead = 0; is(tokens.peek(ahead), "-") && tokens.peek(ahead + 1).kind === "word"; ahead += 2)
    name += `-${tokens.peek(ahead + 1).text}`;
  return name;
}

const arithmetic = `only now() takes + and -, with an interval: ${interval}`;

function afterCall(name: string, tokens: Tokens): string {
  if (!isOneOfNames(name, ["ANY", "SOME", "ALL"])) return functionHint(name);
  const found = isOneOfNames(name, ["ALL"]) ? null : anyHint(tokens);
  return found ?? `values stand in IN (…); ${ofOtherModels}`;
}

function isOneOfNames(name: string, names: readonly string[]): boolean {
  return names.includes(name.toUpperCase());
}
