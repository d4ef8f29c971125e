import type { Json } from "../../../../vocabulary/json.ts";
import type { OpenApiDocument } from "../../../../vocabulary/openapi/document.ts";
import { propertyName } from "../../literal.ts";
import { modelsOf } from "../document-operations.ts";
import { propertiesIn, requiredIn } from "../json-parts.ts";
import { valueValidator } from "./value-validator.ts";

/** Functions of the validators, each printed where one uses it. */
const helpers: Readonly<Record<string, string>> = {
  characters: `/** Counts characters as the service does: an emoji is one. */
function characters(least: number, most: number | null): [(text: string) => boolean, string] {
  const words = most === null ? \`at least \${least}\` : least === 0 ? \`at most \${most}\` : \`\${least} to \${most}\`;
  return [
    (text) => {
      const { length } = [...text];
      return length >= least && length <= (most ?? length);
    },
    \`must have \${words} characters\`,
  ];
}`,
  decimal: `function decimal(least = -Infinity, most = Infinity) {
  return z
    .union([z.number(), z.string().max(4000).regex(/^-?(0|[1-9]\\d*)(\\.\\d+)?$/)], "must be a number such as 12.50")
    .refine((value) => Number(value) >= least, \`must be at least \${least}\`)
    .refine((value) => Number(value) <= most, \`must be at most \${most}\`);
}`,
  datetime: `/** An ISO-8601 date, or datetime with or without seconds and offset, in the years 0001 to 9999. */
function datetime() {
  const parts = /^(\\d{4}-\\d\\d-\\d\\d)(?:T((?:[01]\\d|2[0-3]):[0-5]\\d(?::[0-5]\\d(?:\\.\\d+)?)?)(?:Z|([+-](?:[01]\\d|2[0-3]))(?::?([0-5]\\d))?)?)?$/;
  return z.string().refine((text) => {
    const [, day = "", time = "00:00", hours, minutes = "00"] = parts.exec(text) ?? [];
    const instant = new Date(\`\${day}T\${time}\${hours === undefined ? "Z" : \`\${hours}:\${minutes}\`}\`).toJSON();
    // JavaScript takes 30 February for 1 or 2 March.
    return /^(?!0000)\\d/.test(instant) && new Date(day).toJSON().startsWith(day);
  }, "must be an ISO-8601 date or datetime");
}`,
  int64: `/** A whole number of at most 64 bits: beyond 2^53 as a text. */
function int64(least = -Infinity, most = Infinity) {
  const isWhole = (value: string | number) => {
    const [, whole] = /^(-?(?:0|[1-9]\\d{0,18}))(?:\\.0+)?$/.exec(String(value)) ?? [];
    return whole !== undefined && BigInt.asIntN(64, BigInt(whole)) === BigInt(whole);
  };
  return z
    .union([z.int(), z.string().max(4000)])
    .refine(isWhole, "must be a whole number of at most 64 bits")
    .refine((value) => Number(value) >= least, \`must be at least \${least}\`)
    .refine((value) => Number(value) <= most, \`must be at most \${most}\`);
}`,
  distinct: `const distinct: [(list: readonly unknown[]) => boolean, string] = [
  (list) => new Set(list.map((one) => JSON.stringify(one))).size === list.length,
  "must not hold the same twice",
];`,
};

/** Prints a module with the zod schemas of records that are created and updated. */
export function validatorsText(document: OpenApiDocument): string {
  const schemas = modelsOf(document).flatMap(({ name }) => [
    ...validatorText(document, name, "Create"),
    ...validatorText(document, name, "Update"),
  ]);
  const texts = schemas.join("\n\n");
  const used = Object.entries(helpers).flatMap(([helper, text]) =>
    new RegExp(`\\b${helper}[()]`).test(texts) ? [text] : [],
  );
  return `${['import * as z from "zod";', ...used, texts].join("\n\n")}\n`;
}

/** A schema that admits no other fields, as the service does. */
function validatorText({ components }: OpenApiDocument, name: string, suffix: "Create" | "Update"): string[] {
  const schema = components.schemas[name + suffix];
  if (schema === undefined) return [];
  const required = requiredIn(schema);
  // Of a field that the input has, this schema repeats the name only.
  const own = Object.entries(propertiesIn(schema)).filter(([, one]) => one !== true);
  const fields: [string, Json][] = [
    ...Object.entries(propertiesIn(components.schemas[`${name}Input`])),
    ...own,
  ];
  const answered = propertiesIn(components.schemas[`${name}Part`]);
  const lines = fields.map(([field, value]) => {
    const validator = valueValidator(value, answered[field]);
    return `  ${propertyName(field)}: ${required.includes(field) ? validator : `${validator}.optional()`},`;
  });
  return [`export const ${name}${suffix} = z.strictObject({\n${lines.join("\n")}\n});`];
}
