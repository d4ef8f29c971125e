import type { FromSchema, JSONSchema } from "json-schema-to-ts";
import type { SchemaKeywords } from "./schema-keywords.ts";

/** A JSON Schema of an object, such as the payload of a job. */
export interface ObjectSchema extends SchemaKeywords {
  readonly type: "object";
}

/**
 * The type of what a JSON Schema takes that was written as a literal. As at run time (`runtime/models/validation/code-schema.ts`), an object has
 * the properties that its schema names and no others, unless that says otherwise in `additionalProperties`.
 */
export type SchemaType<Schema> =
  Closed<Schema> extends infer Known
    ? Known extends JSONSchema
      ? FromSchema<Known, { keepDefaultedPropertiesOptional: true }>
      : never
    : never;

type Closed<Schema> = Schema extends { readonly $ref: "#" }
  ? Anything
  : Schema extends { readonly type: "object" }
    ? ClosedObject<Schema>
    : Schema extends { readonly items: unknown }
      ? { readonly [Key in keyof Schema]: Key extends "items" ? ClosedItems<Schema[Key]> : Schema[Key] }
      : {
          readonly [Key in keyof Schema]: Key extends "anyOf" | "oneOf"
            ? ClosedEach<Schema[Key]>
            : Schema[Key];
        };

/** What a schema says of itself, which no type follows: unknown. It is checked at run time. */
type Anything = Readonly<Record<never, never>>;

/** Without an intersection, which the compiler would take half a minute for. */
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
