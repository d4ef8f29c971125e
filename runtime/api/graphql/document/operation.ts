import type { OperationDefinitionNode } from "graphql";
import type { BoundedCache } from "../../../core/concurrency/index.ts";
import { collect } from "./collect.ts";
import { measure } from "./complexity.ts";
import type { Selection } from "./document-fields.ts";
import { refuse } from "./document-problem.ts";
import type { Parsed } from "./parse-document.ts";
import { declareVariable } from "./read-variables.ts";
import { keepBy, readConditions, requireBooleans } from "./skip-include.ts";
import type { Limits } from "./text-limits.ts";
import type { VariableDeclaration, Variables } from "./variables.ts";

/** One operation of a document, checked as far as no model is needed. */
export interface Operation {
  readonly kind: "query" | "mutation";
  readonly variables: readonly VariableDeclaration[];
  /**
   * Its fields after `@skip` and `@include`. The same object for the same conditions while it is remembered, so plans
   * can hang on it in a WeakMap. Errors: 400 for a condition that is not true or false.
   */
  readonly collect: (variables: Variables) => Selection;
}

/** What operations need of the service. */
export interface OperationSettings {
  readonly limits: Limits;
  readonly selections: BoundedCache<Selection>;
}

/** The operation of a name, or the only one. Errors: 400 `VALIDATION_ERROR`. */
export function chooseOperation({ operations }: Parsed, name: string | null): OperationDefinitionNode {
  if (name !== null) {
    const named = operations.find((operation) => operation.name?.value === name);
    if (named === undefined) throw refuse("operationName", "is not the name of an operation in the query");
    return named;
  }
  const [only, ...others] = operations;
  if (only === undefined) throw refuse("query", "has no operation");
  if (others.length > 0) throw refuse("operationName", "is required, since the query has several operations");
  return only;
}

/** Characters that take about the memory of a selected field. */
const charactersOfField = 100;

let operationsMade = 0;

/** Checks an operation against the limits and makes it ready. Errors: 400 `VALIDATION_ERROR`. */
export function makeOperation(
  node: OperationDefinitionNode,
  fragments: Parsed["fragments"],
  { limits, selections }: OperationSettings,
): Operation {
  const { complexity, literals, conditions } = measure(node, fragments, limits);
  const variables = (node.variableDefinitions ?? []).map(declareVariable);
  requireBooleans(conditions, variables);
  // Fields that conflict are refused even where a condition leaves only one of them.
  collect([node.selectionSet], fragments, () => true);
  const id = String(++operationsMade);
  // What arguments ask for is remembered with the fields.
  const weight = complexity + Math.ceil(literals / charactersOfField);
  return {
    kind: node.operation === "mutation" ? "mutation" : "query",
    variables,
    collect: (values) => {
      const met = readConditions(conditions, values);
      const key = met.size === 0 ? id : `${id} ${[...met.values()].join()}`;
      const known = selections.get(key);
      if (known !== undefined) return known;
      return selections.add(key, collect([node.selectionSet], fragments, keepBy(met)), weight);
    },
  };
}
