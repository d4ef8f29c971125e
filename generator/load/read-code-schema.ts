import type { ts as Compiler } from "ts-morph";
import type { Json } from "../../vocabulary/json.ts";
import type { DocumentSchema } from "../../vocabulary/openapi/document.ts";
import { plainValue } from "./json-tree.ts";
import { type CodeFile, literalNode, nameOf, resolveConstant } from "./read-code.ts";

type Expression = Compiler.Expression;

/** Constants that refer to each other in a circle have no end. */
const maxDepth = 64;

/** Keywords whose nested schemas can be `{}` without a change of what the others allow. */
const tolerant = ["properties", "definitions", "$defs"];

/**
 * A JSON Schema in code, with the constants of its file, for the OpenAPI document. Null for a schema that is not a literal. Nested
 * ones are `{}`, which allows any value.
 */
export function readCodeSchema(expression: Expression, code: CodeFile, depth = 0): DocumentSchema | null {
  const node = resolveConstant(expression, code);
  if (node.kind === code.ts.SyntaxKind.TrueKeyword) return true;
  if (node.kind === code.ts.SyntaxKind.FalseKeyword) return false;
  const members = membersOf(node, code, depth);
  const read = (keyword: string, value: Expression): Json | undefined => {
    if (tolerant.includes(keyword)) return schemasIn(value, code, depth + 1);
    const isList = code.ts.isArrayLiteralExpression(resolveConstant(value, code));
    return keyword === "items" && !isList
      ? (readCodeSchema(value, code, depth + 1) ?? {})
      : dataIn(value, code, depth + 1);
  };
  return (members === null ? undefined : objectOf(members, read)) ?? null;
}

/** Schemas by name; undefined if the names are unknown. */
function schemasIn(expression: Expression, code: CodeFile, depth: number): Json | undefined {
  const members = membersOf(resolveConstant(expression, code), code, depth);
  return members === null
    ? undefined
    : objectOf(members, (_, value) => readCodeSchema(value, code, depth) ?? {});
}

/** The data of an expression; undefined for code that would have to run. */
function dataIn(expression: Expression, code: CodeFile, depth: number): Json | undefined {
  const { ts } = code;
  const node = resolveConstant(expression, code);
  if (ts.isArrayLiteralExpression(node)) {
    const items = node.elements.flatMap((one) => itemsOf(one, code, depth));
    return items.some((item) => item === undefined) ? undefined : items.filter((item) => item !== undefined);
  }
  if (ts.isObjectLiteralExpression(node)) {
    const members = membersOf(node, code, depth);
    return members === null ? undefined : objectOf(members, (_, value) => dataIn(value, code, depth + 1));
  }
  const scalar = literalNode(node, code);
  return scalar === null ? undefined : plainValue(scalar);
}

function itemsOf(element: Expression, code: CodeFile, depth: number): (Json | undefined)[] {
  if (depth > maxDepth) return [undefined];
  if (!code.ts.isSpreadElement(element)) return [dataIn(element, code, depth + 1)];
  const list = resolveConstant(element.expression, code);
  if (!code.ts.isArrayLiteralExpression(list)) return [undefined];
  return list.elements.flatMap((one) => itemsOf(one, code, depth + 1));
}

type Members = ReadonlyMap<string, Expression>;

/** The values of an object literal, with those of constants that it spreads. Null for other code. */
function membersOf(node: Compiler.Node, code: CodeFile, depth: number): Members | null {
  const { ts } = code;
  if (!ts.isObjectLiteralExpression(node) || depth > maxDepth) return null;
  const members = new Map<string, Expression>();
  for (const property of node.properties) {
    const name = property.name === undefined ? null : nameOf(property.name, code);
    if (ts.isSpreadAssignment(property)) {
      const spread = membersOf(resolveConstant(property.expression, code), code, depth + 1);
      if (spread === null) return null;
      for (const [key, value] of spread) members.set(key, value);
    } else if (name !== null && ts.isPropertyAssignment(property)) members.set(name, property.initializer);
    else if (ts.isShorthandPropertyAssignment(property)) members.set(property.name.text, property.name);
    else return null;
  }
  return members;
}

/** Undefined if a value is undefined. */
function objectOf(
  members: Members,
  read: (key: string, value: Expression) => Json | undefined,
): { readonly [key: string]: Json } | undefined {
  const entries: [string, Json][] = [];
  for (const [key, expression] of members) {
    const value = read(key, expression);
    if (value === undefined) return undefined;
    entries.push([key, value]);
  }
  return Object.fromEntries(entries);
}
