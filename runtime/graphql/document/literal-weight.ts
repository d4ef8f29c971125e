import { type FieldNode, Kind, type ValueNode } from "graphql";

/** Of a value, beside its text. */
const weightOfOne = 10;

const weights = new WeakMap<FieldNode, number>();

/** About how many characters the arguments of a field hold. A fragment brings them to every place where it is spread. */
export function literalWeight(field: FieldNode): number {
  const known = weights.get(field);
  if (known !== undefined) return known;
  const weight = (field.arguments ?? []).reduce((sum, { value }) => sum + weightOf(value), 0);
  weights.set(field, weight);
  return weight;
}

function weightOf(node: ValueNode): number {
  switch (node.kind) {
    case Kind.LIST:
      return node.values.reduce((sum, value) => sum + weightOf(value), weightOfOne);
    case Kind.OBJECT:
      return node.fields.reduce((sum, { value }) => sum + weightOf(value), weightOfOne);
    case Kind.INT:
    case Kind.FLOAT:
    case Kind.STRING:
    case Kind.ENUM:
      return weightOfOne + node.value.length;
    default:
      return weightOfOne;
  }
}
