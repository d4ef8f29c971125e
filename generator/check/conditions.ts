import { compileCondition } from "../conditions/index.ts";
import { conditionScope } from "../definition/condition-scope.ts";
import type { Span } from "../diagnostics/index.ts";
import type { CheckContext } from "./context.ts";

/** Row conditions, each problem at its place inside the JSON string (decisions, part 4). */
export function checkConditions({ graph, sources, report }: CheckContext): void {
  for (const node of graph.values()) {
    const scope = conditionScope(graph, node);
    for (const { rules } of node.raw.access.operations.values()) {
      for (const { condition } of rules) {
        if (condition === null) continue;
        for (const { code, at, message, hint } of compileCondition(condition.value, scope).problems) {
          report(code, placeInString(sources.get(condition.at.file) ?? "", condition.at, at), message, hint);
        }
      }
    }
  }
}

/** The span in the file of a stretch of a JSON string's value, escapes considered. */
function placeInString(
  source: string,
  literal: Span,
  { offset, length }: { offset: number; length: number },
): Span {
  const raw = source.slice(literal.offset, literal.offset + literal.length);
  const starts: number[] = [];
  // Each unit of the value is one character of the text, or an escape such as \n or \u00e9.
  for (const match of raw.slice(1, -1).matchAll(/\\u[0-9a-fA-F]{4}|\\.|[^\\]/gs))
    starts.push(match.index + 1);
  starts.push(raw.length - 1);
  const at = (index: number) => starts[index] ?? raw.length - 1;
  return {
    file: literal.file,
    offset: literal.offset + at(offset),
    length: Math.max(1, at(offset + length) - at(offset)),
  };
}
