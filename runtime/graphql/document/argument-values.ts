import { Kind, type ValueNode } from "graphql";
import type { Variables } from "./variables.ts";

type ReadInteger = (digits: string) => unknown;

/**
 * A literal or variable as JSON, for filters and other arguments. Integers that no double holds stay text, which filters
 * take as exact numbers; an enum literal is its name. Undefined for a variable that was not given; as a key of an object
 * it is left out, in a list it is null.
 */
export function argumentValue(node: ValueNode, variables: Variables): unknown {
  return read(node, variables, (digits) => (Number.isSafeInteger(Number(digits)) ? Number(digits) : digits));
}

/** The same for data that is stored: numbers are what `JSON.parse` makes of them, as in a body over REST. */
export function dataValue(node: ValueNode, variables: Variables): unknown {
  return read(node, variables, Number);
}

function read(node: ValueNode, variables: Variables, readInteger: ReadInteger): unknown {
  switch (node.kind) {
    case Kind.VARIABLE:
      return variables.value(node.name.value);
    case Kind.NULL:
      return null;
    case Kind.INT:
      return readInteger(node.value);
    case Kind.FLOAT:
      return Number(node.value);
    case Kind.LIST:
      return node.values.map((item) => read(item, variables, readInteger) ?? null);
    case Kind.OBJECT:
      // fromEntries defines keys instead of assigning them: `__proto__` is a key like any other.
      return Object.fromEntries(
        node.fields
          .map(({ name, value }) => [name.value, read(value, variables, readInteger)] as const)
          .filter(([, value]) => value !== undefined),
      );
    default:
      return node.value;
  }
}

/** The names of the variables in a value, each once. */
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
