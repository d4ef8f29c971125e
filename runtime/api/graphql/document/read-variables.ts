import { Kind, type TypeNode, type VariableDefinitionNode } from "graphql";
import type { JsonObject } from "../../../../vocabulary/json.ts";
import { argumentValue } from "./argument-values.ts";
import { refuse } from "./document-problem.ts";
import { type NumberReading, plainNumbers } from "./number-readings.ts";
import { RepeatedValues } from "./repeated-values.ts";
import { coerced, isBuiltIn } from "./variable-types.ts";
import { noVariables, type VariableDeclaration, type Variables } from "./variables.ts";

/** Reads a declaration. Errors: 400 `VALIDATION_ERROR` for a default that does not fit its type. */
export function declareVariable({
  variable,
  type,
  defaultValue,
}: VariableDefinitionNode): VariableDeclaration {
  const name = variable.name.value;
  const typeName = namedType(type);
  const read = (numbers: NumberReading) =>
    defaultValue === undefined
      ? undefined
      : coerced(name, type, argumentValue(defaultValue, noVariables, numbers));
  const values = new Map([[plainNumbers, read(plainNumbers)]]);
  return {
    name,
    type,
    typeName,
    default(numbers = plainNumbers) {
      // A number of GraphQL's own types is a double wherever it stands.
      const way = defaultValue === undefined || isBuiltIn(typeName) ? plainNumbers : numbers;
      if (!values.has(way)) values.set(way, read(way));
      return values.get(way);
    },
  };
}

/**
 * The values of an operation's variables. What the built-in types say is checked here, other types by the planner, who
 * knows what the values are for. Variables that were sent and not declared are ignored. Errors: 400 with the name as
 * `details.field`.
 */
export function readVariables(declared: readonly VariableDeclaration[], sent: JsonObject): Variables {
  if (declared.length === 0) return noVariables;
  const values = new Map<string, (numbers?: NumberReading) => unknown>();
  for (const declaration of declared) {
    const value = valueFor(declaration, sent);
    if (value() !== undefined) values.set(declaration.name, value);
  }
  const repeated = new RepeatedValues();
  return {
    value(name, numbers) {
      const value = values.get(name)?.(numbers);
      if (repeated.admit(name, value)) return value;
      throw refuse(name, "is too large for as many places as it stands in");
    },
    isGiven: (name) => values.has(name),
    isSet: (name) => values.get(name)?.() != null,
    typeOf: (name) => declared.find((declaration) => declaration.name === name)?.typeName ?? "",
  };
}

function valueFor(declaration: VariableDeclaration, sent: JsonObject): VariableDeclaration["default"] {
  const { name, type } = declaration;
  if (Object.hasOwn(sent, name) && sent[name] !== undefined) {
    const value = coerced(name, type, sent[name]);
    return () => value;
  }
  if (declaration.default() === undefined && type.kind === Kind.NON_NULL_TYPE)
    throw refuse(name, "is required");
  return declaration.default;
}

function namedType(type: TypeNode): string {
  return type.kind === Kind.NAMED_TYPE ? type.name.value : namedType(type.type);
}
