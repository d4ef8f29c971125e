import { Ajv, type Format, type Options, type ValidateFunction } from "ajv";
import isEmail from "validator/lib/isEmail.js";
import { parseDate, parseDatetime, parseTime } from "../../../vocabulary/fields/dates.ts";
import type { ValueFormat } from "../../../vocabulary/fields/field-kinds.ts";
import { isUuid } from "../../../vocabulary/fields/uuid.ts";
import { linearRegExp } from "../../core/patterns/index.ts";
import { exactKeywords } from "./exact-keywords.ts";
import { distinctKeyword, listKeyword } from "./list-keywords.ts";
import { longestPassword, messageOf } from "./problem-messages.ts";

/** How texts and numbers of each format are told. */
export const formats: Readonly<Record<ValueFormat, Format>> = {
  int32: { type: "number", validate: (value: number) => value >= -(2 ** 31) && value < 2 ** 31 },
  int64: { type: "number", validate: Number.isSafeInteger },
  uuid: isUuid,
  date: (text: string) => parseDate(text) !== null,
  datetime: (text: string) => parseDatetime(text) !== null,
  time: (text: string) => parseTime(text) !== null,
  email: (text: string) => text.length <= 320 && isEmail.default(text),
  password: (text: string) => text !== "" && Buffer.byteLength(text) <= longestPassword,
};

/** What holds for all schemas. */
export const schemaOptions = {
  // A field may be called `constructor`, which every object seems to have.
  ownProperties: true,
  allowUnionTypes: true,
  strictTypes: false,
  code: { regExp: Object.assign(linearRegExp, { code: "linearRegExp" }) },
} satisfies Options;

function compiler(allErrors: boolean): Ajv {
  return new Ajv({ ...schemaOptions, allErrors, formats, keywords: exactKeywords });
}

const records = compiler(true).addKeyword(
  listKeyword(compiler(false).addKeyword(distinctKeyword), messageOf),
);

/** Compiles the schema of an object that has these properties and no others. */
export function compileSchema(
  properties: Readonly<Record<string, object>>,
  required: readonly string[],
): ValidateFunction {
  return records.compile({
    type: "object",
    additionalProperties: false,
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, property]) => [
        name,
        "items" in property && "type" in property ? { type: property.type, list: property } : property,
      ]),
    ),
    required,
  });
}
