import type { ValueFormat } from "../../../vocabulary/fields/field-kinds.ts";

type TypeName = "object" | "array" | "string" | "number" | "integer" | "boolean" | "null";
type Named = { readonly [name: string]: CodeSchema };

/** A JSON Schema as code of one's own writes it, so far as the compiler can tell what is none (docs/routes.md). */
export type CodeSchema = boolean | SchemaKeywords;

/** The keywords of JSON Schema draft 7, and those of 2019-09 that add up what is known of an object or a list. */
export interface SchemaKeywords {
  readonly type?: TypeName | readonly TypeName[];
  readonly title?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly $comment?: string;
  readonly $id?: string;
  readonly $schema?: string;
  readonly $ref?: string;
  readonly definitions?: Named;
  readonly $defs?: Named;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly format?: ValueFormat | "date-time";
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly multipleOf?: number;
  readonly properties?: Named;
  readonly patternProperties?: Named;
  readonly required?: readonly string[];
  readonly additionalProperties?: CodeSchema;
  readonly unevaluatedProperties?: CodeSchema;
  readonly propertyNames?: CodeSchema;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly dependencies?: { readonly [name: string]: CodeSchema | readonly string[] };
  readonly dependentSchemas?: Named;
  readonly dependentRequired?: { readonly [name: string]: readonly string[] };
  readonly items?: CodeSchema | readonly CodeSchema[];
  readonly additionalItems?: CodeSchema;
  readonly unevaluatedItems?: CodeSchema;
  readonly contains?: CodeSchema;
  readonly minContains?: number;
  readonly maxContains?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly allOf?: readonly CodeSchema[];
  readonly anyOf?: readonly CodeSchema[];
  readonly oneOf?: readonly CodeSchema[];
  readonly not?: CodeSchema;
  readonly if?: CodeSchema;
  readonly then?: CodeSchema;
  readonly else?: CodeSchema;
}
