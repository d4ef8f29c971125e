import type { FromSchema, JSONSchema } from "json-schema-to-ts";
import type { ValueFormat } from "../../../vocabulary/fields/field-kind-row.ts";
import type { StandardInput, StandardOutput, StandardSchema } from "../../../vocabulary/standard-schema.ts";

/** A JSON Schema of an object, such as the payload of a job. */
export interface ObjectSchema extends SchemaKeywords {
  readonly type: "object";
}

/** A schema of an object, or one of a library. */
export type PayloadSchema = ObjectSchema | StandardSchema<unknown, object>;

/** The type that a caller sends, and a handler returns. */
export type SchemaInput<Schema> = Schema extends StandardSchema ? StandardInput<Schema> : FromLiteral<Schema>;

/** The type of a checked value. */
export type SchemaType<Schema> = Schema extends StandardSchema ? StandardOutput<Schema> : FromLiteral<Schema>;

/**
 * The type of the values of a literal JSON Schema. As at run time
 * (`runtime/models/validation/app-schema.ts`), an object has only the properties that its schema names,
 * unless `additionalProperties` allows others.
 */
type FromLiteral<Schema> =
  Closed<Schema> extends infer Known
    ? Known extends JSONSchema
      ? FromSchema<Known, { keepDefaultedPropertiesOptional: true }>
      : never
    : never;

type Closed<Schema> = Schema extends { readonly $ref: "#" }
  ? Anything
  : Schema extends { readonly type: "object" }
    ? ClosedObject<Schema>
    : {
        readonly [Key in keyof Schema]: Key extends "items" | "anyOf" | "oneOf"
          ? ClosedItems<Schema[Key]>
          : Schema[Key];
      };

/** For keywords that no type can express, which are checked at run time. */
type Anything = Readonly<Record<never, never>>;

/** An intersection would take the compiler half a minute. */
type ClosedObject<Schema> = {
  readonly [Key in keyof Schema | "additionalProperties"]: Key extends keyof Schema
    ? Key extends "properties"
      ? ClosedEach<Schema[Key]>
      : Key extends "additionalProperties"
        ? Closed<Schema[Key]>
        : Schema[Key]
    : false;
};

type ClosedItems<Items> = Items extends readonly unknown[] ? ClosedEach<Items> : Closed<Items>;

type ClosedEach<Schemas> = { readonly [Key in keyof Schemas]: Closed<Schemas[Key]> };

type TypeName = "object" | "array" | "string" | "number" | "integer" | "boolean" | "null";
type Named = { readonly [name: string]: AppSchema };

/** A JSON Schema in app code, as far as the compiler can check it (docs/routes.md). */
export type AppSchema = boolean | SchemaKeywords;

/** JSON Schema draft 7, and from 2019-09 unevaluated properties and items. */
interface SchemaKeywords {
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
  readonly additionalProperties?: AppSchema;
  readonly unevaluatedProperties?: AppSchema;
  readonly propertyNames?: AppSchema;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly dependencies?: { readonly [name: string]: AppSchema | readonly string[] };
  readonly dependentSchemas?: Named;
  readonly dependentRequired?: { readonly [name: string]: readonly string[] };
  readonly items?: AppSchema | readonly AppSchema[];
  readonly additionalItems?: AppSchema;
  readonly unevaluatedItems?: AppSchema;
  readonly contains?: AppSchema;
  readonly minContains?: number;
  readonly maxContains?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly allOf?: readonly AppSchema[];
  readonly anyOf?: readonly AppSchema[];
  readonly oneOf?: readonly AppSchema[];
  readonly not?: AppSchema;
  readonly if?: AppSchema;
  readonly then?: AppSchema;
  readonly else?: AppSchema;
}
