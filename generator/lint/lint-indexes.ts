import { type Operation, readOperations } from "../../vocabulary/operations.ts";
import {
  type ConditionScope,
  type Expression,
  findColumn,
  namesOf,
  outside,
  parseCondition,
  placeInString,
  type Term,
} from "../conditions/index.ts";
import type { ModelDefinition } from "../definition/definition.ts";
import type { Span } from "../diagnostics/index.ts";
import type { LintContext, LintedModel, LintedRule } from "./lint-context.ts";

/** Reads: a write looks at the rows that the caller's filter finds, and does not search with the condition. */
const reads: readonly Operation[] = readOperations;

/** What an index does for a condition: finds its rows already, could do so on one of some fields, or never will. */
type Verdict = { readonly indexed: boolean; readonly wanted: readonly Term[] };

const indexed: Verdict = { indexed: true, wanted: [] };
const beyondIndexes: Verdict = { indexed: false, wanted: [] };

/** Row conditions of reads that make PostgreSQL go through the whole table, and that an index would spare it. */
export function lintConditions(context: LintContext): void {
  for (const model of context.models) {
    const known = new Set<string>();
    for (const rule of model.rules) {
      if (!reads.includes(rule.operation) || rule.text === null) continue;
      const parsed = parseCondition(rule.text.value, namesOf(model.scope));
      if ("problem" in parsed) continue;
      const { wanted } = judge(parsed.expression, { model, context });
      for (const term of wanted) note(term, model, rule, known, context);
    }
  }
}

/** A field is reported once, where it stands first. */
function note(
  term: Term,
  model: LintedModel,
  rule: LintedRule,
  known: Set<string>,
  context: LintContext,
): void {
  const column = term.kind === "field" ? columnOf(term.name, model.scope) : null;
  if (column === null || rule.text === null) return;
  const place = `${column.model}.${column.name}`;
  if (known.has(place)) return;
  known.add(place);
  const at = placeInString(context.sources.get(rule.text.at.file) ?? "", rule.text.at, term.at);
  const message = `no index of "${column.model}" begins with "${column.name}", so that each ${rule.operation} of "${model.definition.key}" goes through the whole table`;
  const hint = `add "index": true to the field, or an entry to "indexes" that begins with it`;
  context.report("unindexed-condition", at, message, hint, declarations(column, context));
}

/** The field may be silenced where it is declared as well. */
function declarations({ model, name }: { model: string; name: string }, { graph }: LintContext): Span[] {
  const at = graph.get(model)?.fields.get(name)?.at;
  return at === undefined ? [] : [at];
}

interface Subject {
  readonly model: LintedModel;
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
    case "between":
      return expression.negated ? beyondIndexes : compared(expression.left, null, subject);
    case "null":
      return expression.negated ? beyondIndexes : compared(expression.left, null, subject);
    // A pattern needs an index of another operator class under most collations.
    case "like":
    case "not":
    case "exists":
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

function compared(left: Term, right: Term | null, { model, context }: Subject): Verdict {
  const term = left.kind === "field" ? left : right;
  const column = term?.kind === "field" ? columnOf(term.name, model.scope) : null;
  const definition = column === null ? undefined : context.definitions.get(column.model);
  if (term === null || column === null || definition === undefined) return beyondIndexes;
  if (leadingFields(definition).has(column.name)) return indexed;
  // Half of the rows are true: an index would not be used.
  const useful = column.kind !== "boolean" && column.kind !== "json";
  return useful ? { indexed: false, wanted: [term] } : beyondIndexes;
}

function columnOf(name: string, scope: ConditionScope) {
  const found = findColumn(name, outside(scope));
  // An index does not help over more than one relation.
  if ("message" in found || found.relations.length > 1) return null;
  return { model: found.end.model, name: found.field.split(".").at(-1) ?? "", kind: found.column.kind };
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

/** The fields that an index or a unique key begins with. */
function leadingFields({ uniqueKeys, indexes }: ModelDefinition): ReadonlySet<string> {
  return new Set(["id", ...[...uniqueKeys, ...indexes].flatMap(({ fields }) => fields.slice(0, 1))]);
}
