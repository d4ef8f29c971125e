import { Kind, type TypeNode, type VariableDefinitionNode } from "graphql";
import type { JsonObject } from "../../../vocabulary/json.ts";
import { argumentValue } from "./argument-values.ts";
import { refuse } from "./document-problem.ts";
import type { Operation } from "./operation.ts";
import { RepeatedValues } from "./repeated-values.ts";
import { coerced } from "./variable-types.ts";

/** A variable that an operation declares. */
export interface VariableDeclaration {
  readonly name: string;
  readonly type: TypeNode;
  /** The named type inside lists and `!`: `Int` for `[Int!]!`. */
  readonly typeName: string;
  /** Undefined where it has no default. */
  readonly default: unknown;
}

/** The values of one request. */
export interface Variables {
  /** Undefined: not given, without a default. Errors: 400 for one that stands in too many places for its size. */
  readonly value: (name: string) => unknown;
  /** Whether there is a value, null or a default included. */
  readonly isGiven: (name: string) => boolean;
  /** Whether there is a value other than null. Unlike `value`, asking counts as no place. */
  readonly isSet: (name: string) => boolean;
  /** The named type inside lists and `!`, for the planner's check of positions; empty for an unknown name. */
  readonly typeOf: (name: string) => string;
}

/** Before values are known: literals and defaults hold no variables. */
export const noVariables: Variables = {
  value: () => undefined,
  isGiven: () => false,
  isSet: () => false,
  typeOf: () => "",
};

/** Reads a declaration. Errors: 400 `VALIDATION_ERROR` for a default that does not fit its type. */
export function declareVariable({
  variable,
  type,
  defaultValue,
}: VariableDefinitionNode): VariableDeclaration {
  const name = variable.name.value;
  const value = defaultValue === undefined ? undefined : argumentValue(defaultValue, noVariables);
  return {
    name,
    type,
    typeName: namedType(type),
    default: value === undefined ? undefined : coerced(name, type, value),
  };
}

/**
 * The values of an operation's variables. What the built-in types say is checked here, other types by the planner, who
 * knows what the values are for. Variables that were sent and not declared are ignored. Errors: 400 with the name as
 * `details.field`.
 */
export function readVariables({ variables: declared }: Operation, sent: JsonObject): Variables {
  if (declared.length === 0) return noVariables;
  const values = new Map<string, unknown>();
  for (const declaration of declared) {
    const value = valueFor(declaration, sent);
    if (value !== undefined) values.set(declaration.name, value);
  }
  const repeated = new RepeatedValues();
  return {
    value(name) {
      const value = values.get(name);
      if (repeated.admit(name, value)) return value;
      throw refuse(name, "is too large for as many places as it stands in");
    },
    isGiven: (name) => values.has(name),
    isSet: (name) => values.get(name) != null,
    typeOf: (name) => declared.find((declaration) => declaration.name === name)?.typeName ?? "",
  };
}

function valueFor({ name, type, default: fallback }: VariableDeclaration, sent: JsonObject): unknown {
  if (Object.hasOwn(sent, name) && sent[name] !== undefined) return coerced(name, type, sent[name]);
  if (fallback === undefined && type.kind === Kind.NON_NULL_TYPE) throw refuse(name, "is required");
  return fallback;
}

function namedType(type: TypeNode): string {
  return type.kind === Kind.NAMED_TYPE ? type.name.value : namedType(type.type);
}
