import { type Operation, readOperations } from "../../vocabulary/operations.ts";
import { rangeInString, rootScope, type TextRange } from "../conditions/index.ts";
import type { SourceSpan } from "../diagnostics/index.ts";
import { noIndexHelps, indexVerdict, type UnindexedColumn, type IndexVerdict } from "./index-verdict.ts";
import { expressionOf, type LintContext, type LintedModel, type LintedRule } from "./lint-context.ts";
import { indexLine, type MissingLookup, missingLookups } from "./missing-lookups.ts";

/** Reads: a write looks at the rows that the caller's filter finds, and does not search with the condition. */
const reads: readonly Operation[] = readOperations;

/** Row conditions of reads that make PostgreSQL go through a whole table, and EXISTS that does so below each row. */
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
  const message = `no index of "${of}" begins with "${column}", so that each ${rule.operation} of "${definition.key}" goes through the whole table`;
  note({ at, model: of, columns: [column], message }, rule, reported, context);
}

function noteLookup(
  { at, model: of, beside, column }: MissingLookup,
  { definition }: LintedModel,
  rule: LintedRule,
  reported: Set<string>,
  context: LintContext,
): void {
  const message =
    beside === null
      ? `no index of "${of}" begins with "${column}", so that each ${rule.operation} of "${definition.key}" goes through all of "${of}"`
      : `no index of "${of}" has "${beside}" and "${column}", so that EXISTS looks at all rows of one "${beside}", for each row that it judges`;
  note(
    { at, model: of, columns: [...(beside === null ? [] : [beside]), column], message },
    rule,
    reported,
    context,
  );
}

/** What an index is missing for, and the columns that it has to begin with. */
interface Missing {
  readonly at: TextRange;
  readonly model: string;
  readonly columns: readonly string[];
  readonly message: string;
}

/** A column is reported once, where it is first. */
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

/** The field may be silenced where it is declared as well. */
function declarations(model: string, name: string, { graph }: LintContext): SourceSpan[] {
  const at = graph.get(model)?.fields.get(name)?.at;
  return at === undefined ? [] : [at];
}
