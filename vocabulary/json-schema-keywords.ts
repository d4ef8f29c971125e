/** What stands under a keyword of JSON Schema: values alone, a schema or a list of them, or schemas under names of one's own. */
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
