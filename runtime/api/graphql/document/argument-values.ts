import { Kind, type ValueNode } from "graphql";
import { type NumberReading, plainNumbers } from "./number-readings.ts";
import type { Variables } from "./variables.ts";

/**
 * A literal or variable as JSON; an enum literal is its name. Undefined for a variable that was not given; as a key of an
 * object it is left out, in a list it is null.
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
      // fromEntries defines keys instead of assigning them: `__proto__` is a key like any other.
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
