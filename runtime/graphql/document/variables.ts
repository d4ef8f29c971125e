import type { TypeNode } from "graphql";

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
