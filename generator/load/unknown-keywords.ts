import type { ts as Compiler } from "ts-morph";
import { schemaKeywords } from "../../vocabulary/code-schemas.ts";
import { didYouMean } from "../../vocabulary/nearest.ts";
import type { SourceSpan } from "../diagnostics/index.ts";
import { type CodeFile, nameOf, spanOfNode, withoutAssertions } from "./read-code.ts";

type Expression = Compiler.Expression;

/** An unknown keyword. The service would not start. */
export interface UnknownKeyword {
  readonly at: SourceSpan;
  readonly message: string;
  readonly hint: string | null;
}

/** Finds unknown keywords in the schemas of a call such as `defineRoute({ … })`, as far as they are literals. */
export function unknownKeywords(
  call: Compiler.CallExpression,
  names: readonly string[],
  code: CodeFile,
): UnknownKeyword[] {
  const [given] = call.arguments;
  const object = given === undefined ? null : objectIn(given, code);
  return object === null
    ? []
    : valuesOf(object, code).flatMap(({ name, value }) =>
        names.includes(name) ? inSchemas(value, code) : [],
      );
}

/** Finds unknown keywords in a schema or a list of schemas. */
function inSchemas(value: Expression, code: CodeFile): UnknownKeyword[] {
  const node = withoutAssertions(value, code);
  if (code.ts.isArrayLiteralExpression(node)) return node.elements.flatMap((one) => inSchemas(one, code));
  const object = objectIn(node, code);
  return object === null ? [] : valuesOf(object, code).flatMap((member) => inKeyword(member, code));
}

function inKeyword({ name, at, value }: Member, code: CodeFile): UnknownKeyword[] {
  const holds = Object.hasOwn(schemaKeywords, name) ? schemaKeywords[name] : undefined;
  if (holds === undefined) {
    const hint = didYouMean(name, Object.keys(schemaKeywords));
    return [{ at, message: `JSON Schema has no keyword "${name}"`, hint }];
  }
  if (holds === "schemas") return inSchemas(value, code);
  const object = holds === "named" ? objectIn(value, code) : null;
  return object === null ? [] : valuesOf(object, code).flatMap((member) => inSchemas(member.value, code));
}

function objectIn(value: Expression, code: CodeFile): Compiler.ObjectLiteralExpression | null {
  const node = withoutAssertions(value, code);
  return code.ts.isObjectLiteralExpression(node) ? node : null;
}

interface Member {
  readonly name: string;
  readonly at: SourceSpan;
  readonly value: Expression;
}

/** The values of plain keys, without spreads and computed keys. */
function valuesOf(object: Compiler.ObjectLiteralExpression, code: CodeFile): Member[] {
  return object.properties.flatMap((property) => {
    if (!code.ts.isPropertyAssignment(property)) return [];
    const name = nameOf(property.name, code);
    return name === null ? [] : [{ name, at: spanOfNode(property.name, code), value: property.initializer }];
  });
}
