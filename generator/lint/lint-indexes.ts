import { type Operation, readOperations } from "../../vocabulary/operations.ts";
import {
  type Expression,
  findColumn,
  findRows,
  namesOf,
  outside,
  type Place,
  parseCondition,
  placeInString,
  type Standpoint,
  type Term,
  within,
} from "../conditions/index.ts";
import type { Span } from "../diagnostics/index.ts";
import { indexLine, leadingFields } from "./index-lines.ts";
import type { LintContext, LintedModel, LintedRule } from "./lint-context.ts";
import { isOfCaller, type MissingLookup, missingLookups } from "./missing-lookups.ts";

/** Reads: a write looks at the rows that the caller's filter finds, and does not search with the condition. */
const reads: readonly Operation[] = readOperations;

/** A column that a condition compares, and where it stands in the text. */
interface Wanted {
  readonly at: Place;
  readonly model: string;
  readonly column: string;
}

/** What an index does for a condition: finds its rows already, could do so on one of some columns, or never will. */
type Verdict = { readonly indexed: boolean; readonly wanted: readonly Wanted[] };

const indexed: Verdict = { indexed: true, wanted: [] };
const beyondIndexes: Verdict = { indexed: false, wanted: [] };

/** Row conditions of reads that make PostgreSQL go through a whole table, and EXISTS that does so below each row. */
export function lintConditions(context: LintContext): void {
  for (const model of context.models) {
    const told = new Set<string>();
    for (const rule of model.rules) {
      const { wanted } = reads.includes(rule.operation) ? judgeRule(rule, model, context) : beyondIndexes;
      for (const column of wanted) noteColumn(column, model, rule, told, context);
    }
    for (const rule of model.rules)
      for (const lookup of lookupsOf(rule, model, context)) noteLookup(lookup, model, rule, told, context);
  }
}

function judgeRule(rule: LintedRule, { scope }: LintedModel, context: LintContext): Verdict {
  const expression = expressionOf(rule, scope);
  return expression === null ? beyondIndexes : judge(expression, { from: outside(scope), context });
}

function lookupsOf(rule: LintedRule, { scope }: LintedModel, context: LintContext): MissingLookup[] {
  const expression = expressionOf(rule, scope);
  const search = { ofMany: reads.includes(rule.operation), definitions: context.definitions };
  return expression === null ? [] : missingLookups(expression, outside(scope), search);
}

function expressionOf({ text }: LintedRule, scope: LintedModel["scope"]): Expression | null {
  const parsed = text === null ? null : parseCondition(text.value, namesOf(scope));
  return parsed === null || "problem" in parsed ? null : parsed.expression;
}

function noteColumn(
  { at, model: of, column }: Wanted,
  { definition }: LintedModel,
  rule: LintedRule,
  told: Set<string>,
  context: LintContext,
): void {
  const message = `no index of "${of}" begins with "${column}", so that each ${rule.operation} of "${definition.key}" goes through the whole table`;
  note({ at, model: of, columns: [column], message }, rule, told, context);
}

function noteLookup(
  { at, model: of, beside, column }: MissingLookup,
  { definition }: LintedModel,
  rule: LintedRule,
  told: Set<string>,
  context: LintContext,
): void {
  const message =
    beside === null
      ? `no index of "${of}" begins with "${column}", so that each ${rule.operation} of "${definition.key}" goes through all of "${of}"`
      : `no index of "${of}" has "${beside}" and "${column}", so that EXISTS looks at all rows of one "${beside}", for each row that it judges`;
  note(
    { at, model: of, columns: [...(beside === null ? [] : [beside]), column], message },
    rule,
    told,
    context,
  );
}

/** What an index is missing for, and the columns that it has to begin with. */
interface Missing {
  readonly at: Place;
  readonly model: string;
  readonly columns: readonly string[];
  readonly message: string;
}

/** A column is reported once, where it stands first. */
function note(
  { at, model, columns, message }: Missing,
  { text }: LintedRule,
  told: Set<string>,
  context: LintContext,
): void {
  const column = columns.at(-1) ?? "";
  const place = `${model}.${column}`;
  if (told.has(place) || text === null) return;
  told.add(place);
  const span = placeInString(context.sources.get(text.at.file) ?? "", text.at, at);
  const hint = `add ${indexLine(context.graph.get(model), columns)}`;
  context.report("unindexed-condition", span, message, hint, declarations(model, column, context));
}

/** The field may be silenced where it is declared as well. */
function declarations(model: string, name: string, { graph }: LintContext): Span[] {
  const at = graph.get(model)?.fields.get(name)?.at;
  return at === undefined ? [] : [at];
}

interface Subject {
  readonly from: Standpoint;
  readonly context: LintContext;
}

function judge(expression: Expression, subject: Subject): Verdict {
  switch (expression.kind) {
    case "and":
      return both(expression.items.map((item) => judge(item, subject)));
    case "or":
      return either(expression.items.map((item) => judge(item, subject)));
    case "compare":
      return expression.symbol === "!=" || isPast(expression)
        ? beyondIndexes
        : compared(expression.left, expression.right, subject);
    case "in":
      return expression.negated ? beyondIndexes : compared(expression.left, expression.values[0], subject);
    case "between":
      return expression.negated ? beyondIndexes : compared(expression.left, expression.from, subject);
    case "null":
      return expression.negated ? beyondIndexes : compared(expression.left, undefined, subject);
    case "exists":
      return below(expression, subject);
    // A pattern needs an index of another operator class under most collations.
    case "like":
    case "not":
      return beyondIndexes;
  }
}

/** Sooner or later most moments are in the past, and an index does not spare reading most rows. */
function isPast({ symbol, left, right }: Extract<Expression, { kind: "compare" }>): boolean {
  const before = symbol === "<" || symbol === "<=";
  const after = symbol === ">" || symbol === ">=";
  return (before && isNow(right)) || (after && isNow(left));
}

function isNow(term: Term): boolean {
  return term.kind === "placeholder" && term.name === "now";
}

/** One indexed part is enough; without any, the first that could be. */
function both(parts: readonly Verdict[]): Verdict {
  if (parts.some((part) => part.indexed)) return indexed;
  const [first = beyondIndexes] = parts.filter(({ wanted }) => wanted.length > 0);
  return first;
}

/** A part that no index serves makes those of the others useless. */
function either(parts: readonly Verdict[]): Verdict {
  if (parts.every((part) => part.indexed)) return indexed;
  if (parts.some((part) => !part.indexed && part.wanted.length === 0)) return beyondIndexes;
  return { indexed: false, wanted: parts.flatMap(({ wanted }) => wanted) };
}

/** What EXISTS looks for may be found first, and from there the rows that it belongs to: their keys have indexes. */
function below(
  { path, where }: Extract<Expression, { kind: "exists" }>,
  { from, context }: Subject,
): Verdict {
  const found = findRows(path, from);
  if (where === null || "message" in found || (found.fromItself && from.depth > 0)) return beyondIndexes;
  return judge(where, { from: within(path, found.end, from), context });
}

function compared(left: Term, right: Term | undefined, { from, context }: Subject): Verdict {
  const [term, other] = left.kind === "field" ? [left, right] : [right, left];
  if (term?.kind !== "field" || other?.kind === "field") return beyondIndexes;
  // Within EXISTS a value of the condition, such as a role in memberships, says too little.
  if (from.depth > 0 && !isOfCaller(other)) return beyondIndexes;
  const found = findColumn(term.name, from);
  if ("message" in found || (found.fromItself && from.depth > 0)) return beyondIndexes;
  // Where a relation may have several rows, the first of them is looked up from the row at hand.
  if (found.relations.some(({ kind }) => kind !== "belongs_to")) return beyondIndexes;
  const definition = context.definitions.get(found.end.model);
  const column = term.name.split(".").at(-1) ?? "";
  if (definition === undefined) return beyondIndexes;
  if (leadingFields(definition).has(column)) return indexed;
  // Half of the rows are true: an index would not be used.
  const useful = found.column.kind !== "boolean" && found.column.kind !== "json";
  return useful
    ? { indexed: false, wanted: [{ at: term.at, model: found.end.model, column }] }
    : beyondIndexes;
}

/** Searchable fields without an index, on models that somebody may search. */
export function lintSearch({ models, report }: LintContext): void {
  for (const { node, definition, rules } of models) {
    if (!rules.some(({ operation }) => operation === "search")) continue;
    const leading = leadingFields(definition);
    for (const { name, searchable } of definition.fields) {
      const field = node.fields.get(name);
      if (!searchable || field === undefined || leading.has(name)) continue;
      const message = `each search of "${definition.key}" reads every row to look into "${name}", which has no index`;
      const hint =
        '"index": true serves order and filters on the whole value; to find substrings of a large table takes a trigram index (docs/lint.md)';
      report("unindexed-search", field.keys.get("searchable") ?? field.at, message, hint);
    }
  }
}
