import { elementKindOf } from "../../vocabulary/fields/field-kinds.ts";
import { type Operation, readOperations } from "../../vocabulary/operations.ts";
import {
  type ConditionExpression,
  findColumn,
  findRows,
  type NamePosition,
  rangeInString,
  rootScope,
  scopeWithin,
  type Term,
  type TextRange,
} from "../conditions/index.ts";
import type { SourceSpan } from "../diagnostics/index.ts";
import { expressionOf, type LintContext, type LintedModel, type LintedRule } from "./lint-context.ts";
import {
  indexLine,
  isOfCaller,
  leadingFields,
  type MissingLookup,
  missingLookups,
} from "./missing-lookups.ts";

/** Operations that search with the condition. A write tests it only on rows that the caller's filter has found. */
const reads: readonly Operation[] = readOperations;

/** Finds row conditions of reads that scan a whole table, and EXISTS that scan a table for each row. */
export function lintConditions(context: LintContext): void {
  for (const model of context.models) {
    const reported = new Set<string>();
    for (const rule of model.rules) {
      const { wanted } = reads.includes(rule.operation) ? judgeRule(rule, model, context) : noIndexHelps;
      for (const column of wanted) noteColumn(column, model, rule, reported, context);
    }
    for (const rule of model.rules)
      for (const lookup of lookupsOf(rule, model, context))
        noteLookup(lookup, model, rule, reported, context);
  }
}

function judgeRule(rule: LintedRule, { scope }: LintedModel, context: LintContext): IndexVerdict {
  const expression = expressionOf(rule, scope);
  return expression === null ? noIndexHelps : indexVerdict(expression, { from: rootScope(scope), context });
}

function lookupsOf(rule: LintedRule, { scope }: LintedModel, context: LintContext): MissingLookup[] {
  const expression = expressionOf(rule, scope);
  const search = { ofMany: reads.includes(rule.operation), definitions: context.definitions };
  return expression === null ? [] : missingLookups(expression, rootScope(scope), search);
}

function noteColumn(
  { at, model: of, column }: UnindexedColumn,
  { definition }: LintedModel,
  rule: LintedRule,
  reported: Set<string>,
  context: LintContext,
): void {
  const message = `no index of "${of}" begins with "${column}", so each ${rule.operation} of "${definition.key}" scans the whole table`;
  note({ at, model: of, columns: [column], message }, rule, reported, context);
}

function noteLookup(
  { at, model: of, key, column }: MissingLookup,
  { definition }: LintedModel,
  rule: LintedRule,
  reported: Set<string>,
  context: LintContext,
): void {
  const message =
    key === null
      ? `no index of "${of}" begins with "${column}", so each ${rule.operation} of "${definition.key}" scans all of "${of}"`
      : `no index of "${of}" has "${key}" and "${column}", so for each row EXISTS reads all rows with the same "${key}"`;
  note(
    { at, model: of, columns: [...(key === null ? [] : [key]), column], message },
    rule,
    reported,
    context,
  );
}

/** A missing index: its purpose, and its first columns. */
interface Missing {
  readonly at: TextRange;
  readonly model: string;
  readonly columns: readonly string[];
  readonly message: string;
}

/** Reports a column only at its first position. */
function note(
  { at, model, columns, message }: Missing,
  { text }: LintedRule,
  reported: Set<string>,
  context: LintContext,
): void {
  const column = columns.at(-1) ?? "";
  const place = `${model}.${column}`;
  if (reported.has(place) || text === null) return;
  reported.add(place);
  const span = rangeInString(context.sources.get(text.at.file) ?? "", text.at, at);
  const hint = `add ${indexLine(context.graph.get(model), columns)}`;
  context.report("unindexed-condition", span, message, hint, declarations(model, column, context));
}

/** The finding can also be silenced at the declaration of the field. */
function declarations(model: string, name: string, { graph }: LintContext): SourceSpan[] {
  const at = graph.get(model)?.fields.get(name)?.at;
  return at === undefined ? [] : [at];
}

/** A compared column without an index, with its position in the text. */
interface UnindexedColumn {
  readonly at: TextRange;
  readonly model: string;
  readonly column: string;
}

/** Whether an index serves a condition; otherwise the columns that could get an index. Without columns no index helps. */
type IndexVerdict = { readonly indexed: boolean; readonly wanted: readonly UnindexedColumn[] };

const indexed: IndexVerdict = { indexed: true, wanted: [] };
const noIndexHelps: IndexVerdict = { indexed: false, wanted: [] };

/** The position of a condition. */
interface JudgedCondition {
  readonly from: NamePosition;
  readonly context: LintContext;
}

/** Whether indexes serve a condition. */
function indexVerdict(expression: ConditionExpression, subject: JudgedCondition): IndexVerdict {
  switch (expression.kind) {
    case "and":
      return both(expression.items.map((item) => indexVerdict(item, subject)));
    case "or":
      return either(expression.items.map((item) => indexVerdict(item, subject)));
    case "compare":
      return expression.symbol === "!=" || isPast(expression)
        ? noIndexHelps
        : compared(expression.left, expression.right, subject);
    case "in":
      return expression.negated ? noIndexHelps : compared(expression.left, expression.values[0], subject);
    case "between":
      return expression.negated ? noIndexHelps : compared(expression.left, expression.from, subject);
    case "contains":
      return compared(expression.left, expression.right, subject);
    case "overlaps":
      return compared(expression.left, expression.values[0], subject);
    case "null":
      return expression.negated ? noIndexHelps : compared(expression.left, undefined, subject);
    case "exists":
      return below(expression, subject);
    // A pattern needs an index of another operator class under most collations.
    case "like":
    case "not":
    case "call":
      return noIndexHelps;
  }
}

/** Most times are in the past eventually, so an index would not reduce the number of rows. */
function isPast({ symbol, left, right }: Extract<ConditionExpression, { kind: "compare" }>): boolean {
  const before = symbol === "<" || symbol === "<=";
  const after = symbol === ">" || symbol === ">=";
  return (before && isNow(right)) || (after && isNow(left));
}

function isNow(term: Term): boolean {
  return term.kind === "placeholder" && term.name === "now";
}

/** AND: one indexed part is enough. Otherwise the first part that could have an index. */
function both(parts: readonly IndexVerdict[]): IndexVerdict {
  if (parts.some((part) => part.indexed)) return indexed;
  const [first = noIndexHelps] = parts.filter(({ wanted }) => wanted.length > 0);
  return first;
}

/** OR: a part without an index makes the indexes of the other parts useless. */
function either(parts: readonly IndexVerdict[]): IndexVerdict {
  if (parts.every((part) => part.indexed)) return indexed;
  if (parts.some((part) => !part.indexed && part.wanted.length === 0)) return noIndexHelps;
  return { indexed: false, wanted: parts.flatMap(({ wanted }) => wanted) };
}

/** PostgreSQL can find the rows of EXISTS first, and from there their parents by their keys, which have indexes. */
function below(
  { path, where }: Extract<ConditionExpression, { kind: "exists" }>,
  { from, context }: JudgedCondition,
): IndexVerdict {
  const found = findRows(path, from);
  if (where === null || "message" in found || (found.fromItself && from.depth > 0)) return noIndexHelps;
  return indexVerdict(where, { from: scopeWithin(path, found.end, from), context });
}

function compared(left: Term, right: Term | undefined, { from, context }: JudgedCondition): IndexVerdict {
  const [term, other] = left.kind === "field" ? [left, right] : [right, left];
  if (term?.kind !== "field" || other?.kind === "field") return noIndexHelps;
  // Within EXISTS a constant, such as a role in memberships, matches too many rows.
  if (from.depth > 0 && !isOfCaller(other)) return noIndexHelps;
  const found = findColumn(term.name, from);
  if ("message" in found || (found.fromItself && from.depth > 0)) return noIndexHelps;
  // Rows of other relations are looked up from the current row, so an index on this column does not help.
  if (found.relations.some(({ kind }) => kind !== "belongs_to")) return noIndexHelps;
  const definition = context.definitions.get(found.end.model);
  const column = term.name.split(".").at(-1) ?? "";
  if (definition === undefined) return noIndexHelps;
  // A GIN index contains elements, and cannot find lists that are NULL.
  const isList = found.column.kind !== null && elementKindOf(found.column.kind) !== null;
  if (isList && other === undefined) return noIndexHelps;
  if (leadingFields(definition).has(column)) return indexed;
  // A boolean matches about half of the rows, so PostgreSQL would not use an index. JSON has no order.
  const useful = found.column.kind !== "boolean" && found.column.kind !== "json";
  return useful
    ? { indexed: false, wanted: [{ at: term.at, model: found.end.model, column }] }
    : noIndexHelps;
}
