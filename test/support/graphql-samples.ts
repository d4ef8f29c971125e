import type { Json } from "#vocabulary/json";
import type { GraphqlScenario } from "./graphql.ts";

/** What a new row is answered with, of one field. */
export const stored = (
  field: string,
  sent: string,
  answer: Json,
  more: Partial<GraphqlScenario> = {},
): GraphqlScenario => ({
  as: "admin",
  query: `mutation${more.variables === undefined ? "" : " ($v: Decimal)"} { row: createSamples(input: { ${field}: ${sent} }) { ${field} } }`,
  data: { row: { [field]: answer } },
  ...more,
});

export const refused = (field: string, sent: string): GraphqlScenario => ({
  as: "admin",
  query: `mutation { createSamples(input: { ${field}: ${sent} }) { id } }`,
  fails: `400 VALIDATION_ERROR ${field}`,
});

/** A create whose value is a variable of this type. */
export const bound = (field: string, type: string, v: Json, answer: Json): GraphqlScenario => ({
  ...stored(field, "$v", answer),
  query: `mutation ($v: ${type}) { row: createSamples(input: { ${field}: $v }) { ${field} } }`,
  variables: { v },
});

export const unbound = (field: string, type: string, v: Json, about = field): GraphqlScenario => ({
  as: "admin",
  query: `mutation ($v: ${type}) { createSamples(input: { ${field}: $v }) { id } }`,
  variables: { v },
  fails: `400 VALIDATION_ERROR ${about}`,
});
