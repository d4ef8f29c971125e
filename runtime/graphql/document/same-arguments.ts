import { type FieldNode, Kind, type ValueNode } from "graphql";

/** A fragment is spread in many places: its arguments are read once all the same, however long they are. */
const texts = new WeakMap<FieldNode, string>();

/** Whether two fields have the same arguments, in any order. */
export function haveSameArguments(one: FieldNode, other: FieldNode): boolean {
  return one === other || argumentsText(one) === argumentsText(other);
}

function argumentsText(field: FieldNode): string {
  const known = texts.get(field);
  if (known !== undefined) return known;
  const text = (field.arguments ?? [])
    .map(({ name, value }) => `${name.value}:${valueText(value)}`)
    .sort()
    .join();
  texts.set(field, text);
  return text;
}

function valueText(node: ValueNode): string {
  switch (node.kind) {
    case Kind.VARIABLE:
      return `$${node.name.value}`;
    case Kind.NULL:
      return "null";
    case Kind.STRING:
      return JSON.stringify(node.value);
    case Kind.LIST:
      return `[${node.values.map(valueText).join()}]`;
    case Kind.OBJECT:
      return `{${node.fields
        .map(({ name, value }) => `${name.value}:${valueText(value)}`)
        .sort()
        .join()}}`;
    default:
      return String(node.value);
  }
}
