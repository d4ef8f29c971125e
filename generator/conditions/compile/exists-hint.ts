import type { TextRange } from "../hints/condition-problem.ts";
import { type ComparisonExpression, type ConditionExpression, termsOf } from "../language/condition-tree.ts";
import { findColumn } from "./condition-columns.ts";
import { type ComparisonContext, type CompileContext, rangeOf } from "./condition-compiler.ts";
import { startsAtItself } from "./condition-scope.ts";
import type { ManyRows } from "./unknown-name.ts";

// Suggests an EXISTS for a comparison over many rows. The suggestion is never wider than the intended condition.

/** The suggested text for a comparison, combined with other conditions on the same rows. */
export function existsSuggestion(rows: ManyRows, comparing: ComparisonContext): string {
  const { path } = rows;
  const neighbours = unknownLeaves(comparing.around, path, comparing);
  if (neighbours.length > 1) return together(path, neighbours, comparing);
  const where = textWithin(comparing.expression, rows, comparing);
  if (where === null) return `write EXISTS (${path} WHERE …)`;
  const exists = `EXISTS (${path} WHERE ${where})`;
  if (comparing.expression.kind === "null")
    return comparing.expression.negated
      ? `write ${exists}`
      : `write NOT EXISTS (${path}) to test that no row exists, or ${exists} to test for such a row`;
  const opposite = textWithin(comparing.expression, rows, comparing, true);
  return opposite === null
    ? `write ${exists}`
    : `write NOT EXISTS (${path} WHERE ${opposite}) if all rows must pass, or ${exists} if one row is enough`;
}

/** One row must fulfil all conditions: with separate EXISTS, several rows together could fulfil them. */
function together(path: string, leaves: readonly ComparisonExpression[], compiler: CompileContext): string {
  const { around } = compiler;
  const isChain = around.kind === "and" && leaves.every((leaf) => around.items.includes(leaf));
  const texts = leaves.map((leaf) => {
    const rows = manyRows(leaf, compiler);
    return rows === null ? null : textWithin(leaf, rows, compiler);
  });
  if (isChain && !texts.includes(null)) return `write EXISTS (${path} WHERE ${texts.join(" AND ")})`;
  return `put all conditions on one row into one EXISTS (${path} WHERE …)`;
}

/** The comparisons over the rows of a path, except within EXISTS. */
function unknownLeaves(
  expression: ConditionExpression,
  path: string,
  compiler: CompileContext,
): ComparisonExpression[] {
  switch (expression.kind) {
    case "and":
    case "or":
      return expression.items.flatMap((item) => unknownLeaves(item, path, compiler));
    case "not":
      return unknownLeaves(expression.item, path, compiler);
    case "exists":
    case "call":
      return [];
    default:
      return manyRows(expression, compiler)?.path === path ? [expression] : [];
  }
}

function manyRows(expression: ComparisonExpression, compiler: CompileContext): ManyRows | null {
  for (const term of termsOf(expression)) {
    const found = term.kind === "field" ? findColumn(term.name, compiler) : null;
    if (found !== null && "message" in found && found.exists !== undefined) return found.exists;
  }
  return null;
}

/** The text of a comparison within EXISTS, or of its opposite. Null if there is no text for it. */
function textWithin(
  expression: ComparisonExpression,
  { written, name }: ManyRows,
  compiler: CompileContext,
  opposite = false,
): string | null {
  const { text } = compiler;
  const changes: Change[] = [];
  for (const term of termsOf(expression)) {
    if (term.kind !== "field") continue;
    const isOther = term.name !== written;
    if (isOther && expression.kind !== "compare") return null;
    const shown = isOther ? fromItself(term.name, compiler) : name;
    if (shown === null) return null;
    changes.push({ at: term.at, shown });
  }
  if (opposite) {
    const positive = positiveOf(expression);
    if (positive === null) return null;
    changes.push({ at: expression.at, shown: positive });
  }
  const { offset, length } = rangeOf(expression, text);
  let end = offset + length;
  let shown = "";
  for (const change of changes.sort((a, b) => b.at.offset - a.at.offset)) {
    shown = change.shown + text.slice(change.at.offset + change.at.length, end) + shown;
    end = change.at.offset;
  }
  return text.slice(offset, end) + shown;
}

interface Change {
  readonly at: TextRange;
  readonly shown: string;
}

/** The name of a field of the current row within EXISTS. Null if it has no name there. */
function fromItself(name: string, compiler: CompileContext): string | null {
  if (!("column" in findColumn(name, compiler))) return null;
  if (startsAtItself(name.split("."), compiler)) return name;
  return compiler.depth === 0 ? `this.${name}` : null;
}

function positiveOf(expression: ComparisonExpression): string | null {
  switch (expression.kind) {
    case "compare":
      return expression.symbol === "!=" ? "=" : null;
    case "like":
      return expression.negated ? (expression.fold ? "ILIKE" : "LIKE") : null;
    case "in":
      return expression.negated ? "IN" : null;
    case "between":
      return expression.negated ? "BETWEEN" : null;
    case "null":
    case "contains":
    case "overlaps":
      return null;
  }
}
