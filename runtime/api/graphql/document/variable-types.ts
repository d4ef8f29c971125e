import { Kind, type TypeNode } from "graphql";
import { doubleOf } from "../../../../vocabulary/fields/exact-numbers.ts";
import { refuse } from "./document-problem.ts";

interface BuiltIn {
  /** Asked of a BigInt as well, which is a whole number beyond 2^53 - 1. */
  readonly fits: (value: unknown) => boolean;
  readonly expected: string;
}

const builtIns: ReadonlyMap<string, BuiltIn> = new Map<string, BuiltIn>([
  ["Int", { fits: isInt32, expected: "a whole number of 32 bits" }],
  ["Float", { fits: (value) => Number.isFinite(value) || isHeld(value), expected: "a number" }],
  ["String", { fits: (value) => typeof value === "string", expected: "a text" }],
  ["Boolean", { fits: (value) => typeof value === "boolean", expected: "true or false" }],
  // Left as it was sent: ids are numbers in some models and texts in others.
  ["ID", { fits: isId, expected: "an id" }],
]);

/** Whether a named type is one of GraphQL's own. */
export function isBuiltIn(typeName: string): boolean {
  return builtIns.has(typeName);
}

/**
 * A value as its declared type takes it: a single value for a list is a list of one. Named types that are not built in
 * take anything. Errors: 400 with the variable's name as `details.field`.
 */
export function coerced(name: string, type: TypeNode, value: unknown): unknown {
  switch (type.kind) {
    case Kind.NON_NULL_TYPE:
      if (value === null) throw refuse(name, "must not be null");
      return coerced(name, type.type, value);
    case Kind.LIST_TYPE:
      if (value === null) return null;
      return Array.isArray(value)
        ? value.map((item) => coerced(name, type.type, item))
        : [coerced(name, type.type, value)];
    case Kind.NAMED_TYPE: {
      const builtIn = builtIns.get(type.name.value);
      if (value !== null && builtIn?.fits(value) === false) throw refuse(name, `must be ${builtIn.expected}`);
      return value;
    }
  }
}

/** Whether a double holds a whole number beyond 2^53 - 1. */
function isHeld(value: unknown): boolean {
  return typeof value === "bigint" && doubleOf(value) !== null;
}

function isId(value: unknown): boolean {
  return typeof value === "string" || typeof value === "bigint" || Number.isInteger(value);
}

function isInt32(value: unknown): boolean {
  return typeof value === "number" && (value | 0) === value;
}
