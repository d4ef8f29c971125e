import type { TypeNode } from "graphql";
import type { NumberReading } from "./number-readings.ts";

/** A variable that an operation declares. */
export interface VariableDeclaration {
  readonly name: string;
  readonly type: TypeNode;
  /** The named type inside lists and `!`: `Int` for `[Int!]!`. */
  readonly typeName: string;
  /** Its default, with numbers read for where the variable stands; undefined where it has none. */
  readonly default: (numbers?: NumberReading) => unknown;
}

/** The values of one request. */
export interface Variables {
  /** Undefined: not given, without a default. `numbers` are those of a default. Errors: 400 for one that stands in too many places for its size. */
  readonly value: (name: string, numbers?: NumberReading) => unknown;
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
