import { Kind, type TypeNode, type ValueNode, type VariableDefinitionNode } from "graphql";
import { doubleOf, literalText } from "../../../../vocabulary/fields/exact-numbers.ts";
import type { JsonObject } from "../../../../vocabulary/json.ts";
import { numberOf } from "../../../core/text/index.ts";
import { refuse } from "./parse-document.ts";

/** A variable that an operation declares. */
export interface VariableDeclaration {
  readonly name: string;
  readonly type: TypeNode;
  /** The named type inside lists and `!`: `Int` for `[Int!]!`. */
  readonly typeName: string;
  /** The default, with numbers read for the place of the variable; undefined if it has none. */
  readonly default: (numbers?: NumberReading) => unknown;
}

export interface Variables {
  /**
   * Undefined without a value and a default. `numbers` is for the default. Errors: 400 for a variable that is
   * used in too many places for its size.
   */
  readonly value: (name: string, numbers?: NumberReading) => unknown;
  /** Whether it has a value or a default, null included. */
  readonly isGiven: (name: string) => boolean;
  /** Whether it has a value other than null. Does not count as a use. */
  readonly isSet: (name: string) => boolean;
  /** The named type inside lists and `!`; empty for an unknown name. */
  readonly typeOf: (name: string) => string;
}

/** For literals and defaults, which cannot contain variables. */
const noVariables: Variables = {
  value: () => undefined,
  isGiven: () => false,
  isSet: () => false,
  typeOf: () => "",
};

/** How numbers in a document are read. One object per set of rules, so it can be a cache key. */
export interface NumberReading {
  /** Without fraction and exponent. */
  readonly whole: (digits: string) => unknown;
  readonly broken: (text: string) => unknown;
  /** For a key of an object; default: the same rules. */
  readonly under?: (key: string) => NumberReading;
}

/** For most fields and arguments: integers beyond 2^53 - 1 are BigInts, as in a REST body. */
export const plainNumbers: NumberReading = { whole: numberOf, broken: numberOf };

const exactly = (text: string) => literalText(text) ?? text;

/** For fields whose numbers are strings in JSON: no digit is lost. */
export const exactNumbers: NumberReading = { whole: exactly, broken: exactly };

/**
 * A literal or variable as JSON; an enum literal is its name. A variable without a value is left out of
 * objects, and null in lists.
 */
export function argumentValue(
  node: ValueNode,
  variables: Variables,
  numbers: NumberReading = plainNumbers,
): unknown {
  switch (node.kind) {
    case Kind.VARIABLE:
      return variables.value(node.name.value, numbers);
    case Kind.NULL:
      return null;
    case Kind.INT:
      return numbers.whole(node.value);
    case Kind.FLOAT:
      return numbers.broken(node.value);
    case Kind.LIST:
      return node.values.map((item) => argumentValue(item, variables, numbers) ?? null);
    case Kind.OBJECT:
      // fromEntries defines keys instead of assigning them, so `__proto__` is a normal key.
      return Object.fromEntries(
        node.fields
          .map(({ name: { value: name }, value }) => {
            const inside = numbers.under === undefined ? numbers : numbers.under(name);
            return [name, argumentValue(value, variables, inside)] as const;
          })
          .filter(([, value]) => value !== undefined),
      );
    default:
      return node.value;
  }
}

/** The distinct names of the variables in a value. */
export function variablesIn(node: ValueNode): string[] {
  const names = new Set<string>();
  const visit = (value: ValueNode): void => {
    if (value.kind === Kind.VARIABLE) names.add(value.name.value);
    else if (value.kind === Kind.LIST) value.values.forEach(visit);
    else if (value.kind === Kind.OBJECT) for (const field of value.fields) visit(field.value);
  };
  visit(node);
  return [...names];
}

/** Limit for the total weight of variable values in their second and later places. */
const mostRepeated = 1_000_000;
/** Per value, in addition to its text, because each element of a list is checked. */
const weightOfOne = 10;

/**
 * Counts repeated uses of variables: a list that fills a body could be read and bound hundreds of times.
 * First uses are free, because the body is limited.
 */
class RepeatedValues {
  readonly #weights = new Map<string, number | null>();
  #repeated = 0;

  /** Counts a use. False if there are too many. */
  allow(name: string, value: unknown): boolean {
    const known = this.#weights.get(name);
    if (known === undefined) {
      this.#weights.set(name, null);
      return true;
    }
    const weight = known ?? weightOf(value);
    this.#weights.set(name, weight);
    this.#repeated += weight;
    return this.#repeated <= mostRepeated;
  }
}

function weightOf(value: unknown): number {
  if (typeof value === "string") return weightOfOne + value.length;
  if (typeof value !== "object" || value === null) return weightOfOne;
  const names = Array.isArray(value) ? [] : Object.keys(value);
  return [...names, ...Object.values(value)].reduce((sum, item) => sum + weightOf(item), weightOfOne);
}

interface BuiltIn {
  /** BigInts are integers beyond 2^53 - 1. */
  readonly fits: (value: unknown) => boolean;
  readonly expected: string;
}

const builtIns: ReadonlyMap<string, BuiltIn> = new Map<string, BuiltIn>([
  ["Int", { fits: isInt32, expected: "a whole number of 32 bits" }],
  ["Float", { fits: (value) => Number.isFinite(value) || isExactDouble(value), expected: "a number" }],
  ["String", { fits: (value) => typeof value === "string", expected: "a string" }],
  ["Boolean", { fits: (value) => typeof value === "boolean", expected: "true or false" }],
  // Not converted: ids are numbers in some models and strings in others.
  ["ID", { fits: isId, expected: "an id" }],
]);

function isBuiltIn(typeName: string): boolean {
  return builtIns.has(typeName);
}

/**
 * Converts a value to its declared type: a single value for a list becomes a list. Custom types accept
 * anything. Errors: 400 with the variable as `details.field`.
 */
function coerced(name: string, type: TypeNode, value: unknown): unknown {
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

/** Whether a double holds an integer beyond 2^53 - 1. */
function isExactDouble(value: unknown): boolean {
  return typeof value === "bigint" && doubleOf(value) !== null;
}

function isId(value: unknown): boolean {
  return typeof value === "string" || typeof value === "bigint" || Number.isInteger(value);
}

function isInt32(value: unknown): boolean {
  return typeof value === "number" && (value | 0) === value;
}

/** Errors: 400 `VALIDATION_ERROR` for a default that does not fit its type. */
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
      // Numbers of built-in types are doubles.
      const way = defaultValue === undefined || isBuiltIn(typeName) ? plainNumbers : numbers;
      if (!values.has(way)) values.set(way, read(way));
      return values.get(way);
    },
  };
}

/**
 * Reads the values of an operation's variables. Built-in types are checked here, other types by the planner.
 * Undeclared variables are ignored. Errors: 400 with the name as `details.field`.
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
      if (repeated.allow(name, value)) return value;
      throw refuse(name, "is used in too many places for its size");
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
