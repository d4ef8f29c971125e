import {
  Documents,
  type Field,
  type Limits,
  readVariables,
  type Selection,
} from "#runtime/api/graphql/document/index";
import { ServiceError } from "#runtime/core/errors/index";
import type { JsonObject } from "#vocabulary/json";

/** The limits of an empty manifest. */
export const defaultLimits = { maxDepth: 8, maxRootFields: 20, maxComplexity: 1000 };

/** What an operation of a text selects. */
export function collected(
  text: string,
  variables: JsonObject = {},
  operationName: string | null = null,
  limits: Limits = defaultLimits,
): Selection {
  const operation = new Documents(limits).operation(text, operationName);
  return operation.collect(readVariables(operation.variables, variables));
}

/** A selection in one line: `books(limit) { id writer: author { name } }`. */
export function shown({ fields }: Selection): string {
  return fields.map(showField).join(" ");
}

function showField({ key, name, args, selection }: Field): string {
  const alias = key === name ? "" : `${key}: `;
  const list = args.length === 0 ? "" : `(${args.map((argument) => argument.name).join(", ")})`;
  return `${alias}${name}${list}${selection === null ? "" : ` { ${shown(selection)} }`}`;
}

/** The status, field and message of a refusal. Any other error is thrown on. */
export function refusal(run: () => unknown): { status: number; field: unknown; message: string } {
  try {
    run();
  } catch (error) {
    if (error instanceof ServiceError) {
      return { status: error.status, field: error.details?.["field"], message: error.message };
    }
    throw error;
  }
  throw new Error("nothing was refused");
}
