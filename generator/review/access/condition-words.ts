import { startsAtRuleRow } from "../../../vocabulary/conditions/conditions.ts";
import {
  type ConditionExpression,
  type ConditionNames,
  expandedExpression,
  fieldNamesOf,
  parsePrintedCondition,
  type Term,
  termText,
} from "../../conditions/index.ts";
import { allRows, splitRows } from "../../emit/views/matrix-layout.ts";

/** The left side of a comparison: `whose project's owner_id`. After `where` if it is not a field of the current row. */
function subjectWords(term: Term, depth: number): string {
  if (term.kind !== "field") return `where ${objectWords(term, depth)}`;
  const names = term.name.split(".");
  return startsAtRuleRow(names, depth)
    ? `where the ${ofPath(names.slice(1))} of the row itself`
    : `whose ${ofPath(names)}`;
}

/** The right side of a comparison: `its reporter_id`, `the caller's id`, `15 minutes ago`, `'open'`. */
function objectWords(term: Term, depth: number): string {
  switch (term.kind) {
    case "value":
      return termText(term);
    case "user":
      return `the caller's ${term.column}`;
    case "placeholder":
      return term.name === "now" ? momentWords(term) : claims[term.name];
    case "field": {
      const names = term.name.split(".");
      return startsAtRuleRow(names, depth)
        ? `the ${ofPath(names.slice(1))} of the row itself`
        : `its ${ofPath(names)}`;
    }
  }
}

const claims = {
  user_id: "the caller's id",
  role: "the caller's role",
  email: "the caller's e-mail address",
};

function momentWords({ offset }: Extract<Term, { kind: "placeholder" }>): string {
  if (offset === undefined) return "now";
  const amount = Math.abs(offset.amount);
  const span = `${amount} ${offset.unit}${amount === 1 ? "" : "s"}`;
  return offset.amount < 0 ? `${span} ago` : `${span} from now`;
}

/** `project's organisation's name` */
function ofPath(names: readonly string[]): string {
  return names.join("'s ");
}

/** `'a', 'b' or 'c'` */
function listed(words: readonly string[]): string {
  const [last = "", ...others] = [...words].reverse();
  return others.length === 0 ? last : `${others.reverse().join(", ")} or ${last}`;
}

/** The singular of a relation: `a membership` for `memberships`. */
function oneOf(relation: string, many: boolean, article: boolean): string {
  const name = many ? singular(relation) : relation;
  if (!article) return name;
  return `${/^[aeiou]/i.test(name) ? "an" : "a"} ${name}`;
}

function singular(name: string): string {
  if (/[^aeiou]ies$/.test(name)) return `${name.slice(0, -"ies".length)}y`;
  if (/(?:ss|x|ch|sh)es$/.test(name)) return name.slice(0, -"es".length);
  return /[^siu]s$/.test(name) ? name.slice(0, -1) : `row of ${name}`;
}

/** The position of a part of a condition. */
interface At {
  readonly naming: ConditionNames;
  /** The relations from the row with the rule. */
  readonly relations: readonly string[];
  readonly depth: number;
}

/**
 * The rows of a condition in words, for readers who do not know SQL: `rows whose project's organisation has a membership of the
 * caller with the role 'owner' or 'admin'`. Values are printed as in the condition, and so is a text that cannot be parsed.
 */
export function rowsInWords(condition: string, naming: ConditionNames): string {
  if (condition === allRows) return allRows;
  const { rows, fields } = splitRows(condition);
  if (fields !== null) return `${rowsInWords(rows, naming)} for writes of ${fields.join(", ")}`;
  const parsed = parsePrintedCondition(condition, fieldNamesOf(naming));
  if ("problem" in parsed) return `rows with ${condition}`;
  const expression = expandedExpression(parsed.expression, (name) => naming.definitionOf?.(name) ?? null);
  return `rows ${clause(expression, { naming, relations: [], depth: 0 }, false)}`;
}

type Of<Kind extends ConditionExpression["kind"]> = Extract<ConditionExpression, { kind: Kind }>;

/** `whose status is 'open'`. NOT moves inwards. The result stays the same, also for NULL. */
function clause(expression: ConditionExpression, at: At, negated: boolean): string {
  switch (expression.kind) {
    case "not":
      return clause(expression.item, at, !negated);
    case "and":
    case "or":
      return expression.items
        .map((item) => nested(item, at, negated))
        .join((expression.kind === "and") === negated ? " or " : " and ");
    case "exists":
      return existsClause(expression, at, negated);
    case "call":
      return `${negated ? "not " : ""}${expression.name}(${expression.path})`;
    case "compare":
      return comparison(expression, at, negated);
    case "contains":
    case "overlaps":
      return `${subjectWords(expression.left, at.depth)} ${elements(expression, at, negated)}`;
    default:
      return `${subjectWords(expression.left, at.depth)} ${predicate(expression, at, negated !== expression.negated)}`;
  }
}

function nested(item: ConditionExpression, at: At, negated: boolean): string {
  const text = clause(item, at, negated);
  const inner = item.kind === "not" ? item.item : item;
  return inner.kind === "and" || inner.kind === "or" || inner.kind === "not" ? `(${text})` : text;
}

type Verb = readonly [plain: string, ofTimes: string];

const verbs: Readonly<Record<Of<"compare">["symbol"], Verb>> = {
  "=": ["is", "is"],
  "!=": ["is another than", "is another than"],
  "<": ["is less than", "is before"],
  "<=": ["is at most", "is not after"],
  ">": ["is greater than", "is after"],
  ">=": ["is at least", "is not before"],
};

const opposites = { "=": "!=", "!=": "=", "<": ">=", "<=": ">", ">": "<=", ">=": "<" } as const;
const turned = { "=": "=", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<=" } as const;

function comparison({ left, symbol, right }: Of<"compare">, { depth }: At, negated: boolean): string {
  const isTurned = left.kind !== "field" && right.kind === "field";
  const [subject, object] = isTurned ? [right, left] : [left, right];
  const stated = isTurned ? turned[symbol] : symbol;
  const [plain, ofTimes] = verbs[negated ? opposites[stated] : stated];
  const isTime = object.kind === "placeholder" && object.name === "now";
  return `${subjectWords(subject, depth)} ${isTime ? ofTimes : plain} ${objectWords(object, depth)}`;
}

/** The words for CONTAINS and OVERLAPS. */
function elements(expression: Of<"contains" | "overlaps">, { depth }: At, negated: boolean): string {
  const values = expression.kind === "contains" ? [expression.right] : expression.values;
  const words = listed(values.map((value) => objectWords(value, depth)));
  return `${negated ? "do not contain" : "contain"} ${words}`;
}

/** The words after the subject for conditions without a comparison symbol. */
function predicate(
  expression: Of<"in" | "between" | "like" | "null">,
  { depth }: At,
  negated: boolean,
): string {
  const words = (term: Term) => objectWords(term, depth);
  switch (expression.kind) {
    case "in":
      return `is ${negated ? "none of " : ""}${listed(expression.values.map(words))}`;
    case "between": {
      const range = `${words(expression.from)} to ${words(expression.to)}`;
      return negated ? `is outside of ${range}` : `is from ${range}`;
    }
    case "like": {
      const pattern = `${words(expression.right)}${expression.fold ? " in any case" : ""}`;
      return negated ? `is not like ${pattern}` : `is like ${pattern}`;
    }
    case "null":
      return negated ? "is not empty" : "is empty";
  }
}

/** `whose organisation has a membership of the caller` */
function existsClause(
  { path, where }: Of<"exists">,
  { naming, relations, depth }: At,
  negated: boolean,
): string {
  const names = path.split(".");
  const fromItself = startsAtRuleRow(names, depth);
  const own = fromItself ? names.slice(1) : names;
  const all = fromItself ? own : [...relations, ...own];
  const found = oneOf(own.at(-1) ?? "", naming.pathOf(all)?.hops.at(-1)?.many === true, !negated);
  const way = own.slice(0, -1);
  const inner = where === null ? "" : ` ${innerWords(where, { naming, relations: all, depth: depth + 1 })}`;
  return `${holder(way, fromItself, depth)} ${negated ? "no " : ""}${found}${inner}`;
}

function holder(way: readonly string[], fromItself: boolean, depth: number): string {
  if (fromItself)
    return way.length === 0 ? "where the row itself has" : `where the ${ofPath(way)} of the row itself has`;
  if (way.length > 0) return `whose ${ofPath(way)} has`;
  return depth === 0 ? "that have" : "that has";
}

/** The condition inside EXISTS. Short forms for rows of the caller and for fixed values. */
function innerWords(where: ConditionExpression, at: At): string {
  const parts = where.kind === "and" ? where.items : [where];
  const [callers, others] = divided(parts, isCallers);
  const [values, rest] = divided(others, hasValues);
  const clauses = rest.map((part) => nested(part, at, false));
  return [
    ...(callers.length === 0 ? [] : ["of the caller"]),
    ...values.map((part) => `with the ${valuesWords(part, at)}`),
    ...(clauses.length === 0 ? [] : [clauses.join(" and ")]),
  ].join(" ");
}

function divided(
  parts: readonly ConditionExpression[],
  test: (part: ConditionExpression) => boolean,
): readonly [ConditionExpression[], ConditionExpression[]] {
  return [parts.filter(test), parts.filter((part) => !test(part))];
}

function isCallers(part: ConditionExpression): boolean {
  if (part.kind !== "compare" || part.symbol !== "=") return false;
  const { left, right } = part;
  const isCaller = (term: Term) => term.kind === "placeholder" && term.name === "user_id";
  const isUser = (term: Term) => term.kind === "field" && term.name === "user_id";
  return (isUser(left) && isCaller(right)) || (isCaller(left) && isUser(right));
}

function hasValues(part: ConditionExpression): boolean {
  if (part.kind !== "in" && part.kind !== "compare") return false;
  const values = part.kind === "in" ? part.values : [part.right];
  const plain = part.kind === "in" ? !part.negated : part.symbol === "=";
  const isOwn = part.left.kind === "field" && !part.left.name.includes(".");
  return plain && isOwn && values.every(({ kind }) => kind === "value");
}

function valuesWords(part: ConditionExpression, { depth }: At): string {
  if (part.kind !== "in" && part.kind !== "compare") return "";
  const values = part.kind === "in" ? part.values : [part.right];
  const name = part.left.kind === "field" ? part.left.name : "";
  return `${name} ${listed(values.map((value) => objectWords(value, depth)))}`;
}
