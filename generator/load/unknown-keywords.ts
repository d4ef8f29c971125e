import type { ts as Compiler } from "ts-morph";
import { didYouMean } from "../../vocabulary/nearest.ts";
import type { SourceSpan } from "../diagnostics/index.ts";
import { type CodeFile, nameOf, spanOfNode, withoutAssertions } from "./read-code.ts";

/** What is under a keyword of JSON Schema: only values, a schema or a list of schemas, or schemas under custom names. */
type Holds = "values" | "schemas" | "named";

/** The keywords that JSON Schemas in code of an app may have: drafts 7 and 2019-09. A schema with another one stops the start. */
export const schemaKeywords: Readonly<Record<string, Holds>> = {
  ...keywords("values", "$async $dynamicAnchor $dynamicRef $recursiveAnchor $recursiveRef $schema $id $ref"),
  ...keywords(
    "values",
    "$vocabulary $comment id maximum minimum exclusiveMaximum exclusiveMinimum multipleOf",
  ),
  ...keywords("values", "maxLength minLength pattern maxProperties minProperties required maxItems minItems"),
  ...keywords("values", "uniqueItems type nullable const enum format title description default deprecated"),
  ...keywords("values", "readOnly writeOnly examples contentMediaType contentEncoding dependentRequired"),
  ...keywords("values", "maxContains minContains"),
  ...keywords(
    "schemas",
    "not anyOf oneOf allOf if then else propertyNames additionalProperties contentSchema",
  ),
  ...keywords("schemas", "additionalItems items contains unevaluatedProperties unevaluatedItems"),
  ...keywords("named", "properties patternProperties dependencies dependentSchemas definitions $defs"),
};

function keywords(holds: Holds, names: string): Record<string, Holds> {
  return Object.fromEntries(names.split(" ").map((name) => [name, holds]));
}

type Expression = Compiler.Expression;

/** A keyword that no JSON Schema has: the service would not start. */
export interface UnknownKeyword {
  readonly at: SourceSpan;
  readonly message: string;
  readonly hint: string | null;
}

/** Those in the schemas that a call such as `defineRoute({ … })` is given under some names, as far as they are written there. */
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

/** In a schema, or in a list of them. */
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
    return [{ at, message: `no keyword of JSON Schema is called "${name}"`, hint }];
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

/** What is written under a name; not what is spread or computed. */
function valuesOf(object: Compiler.ObjectLiteralExpression, code: CodeFile): Member[] {
  return object.properties.flatMap((property) => {
    if (!code.ts.isPropertyAssignment(property)) return [];
    const name = nameOf(property.name, code);
    return name === null ? [] : [{ name, at: spanOfNode(property.name, code), value: property.initializer }];
  });
}
