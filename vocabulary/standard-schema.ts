import { isSchema, type JsonSchema } from "./code-schemas.ts";

type Side = "input" | "output";

interface JsonSchemaOptions {
  readonly target: string;
  readonly libraryOptions: typeof ofZod;
}

/** Parts that JSON cannot express, such as the date of `z.coerce.date()`, become `{}`; other libraries ignore it. */
const ofZod = { unrepresentable: "any" } as const;

/** A schema of a library, such as zod, valibot or arktype (https://standardschema.dev, version 1). */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    /** Not all libraries have it. */
    readonly jsonSchema?: Readonly<Record<Side, (options: JsonSchemaOptions) => object>>;
  };
}

/** The value, or the problems. */
export type StandardResult<Output = unknown> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

type TypesOf<Schema extends StandardSchema> = NonNullable<Schema["~standard"]["types"]>;

/** The type of the values that a schema takes. */
export type StandardInput<Schema extends StandardSchema> = TypesOf<Schema>["input"];

/** The type of the values that it gives. */
export type StandardOutput<Schema extends StandardSchema> = TypesOf<Schema>["output"];

/** Schemas of arktype are functions. */
export function isStandardSchema(schema: unknown): schema is StandardSchema {
  if ((typeof schema !== "object" && typeof schema !== "function") || schema === null) return false;
  const standard: unknown = Reflect.get(schema, "~standard");
  return typeof standard === "object" && standard !== null && "validate" in standard;
}

/** Zod 4.0 and 4.1 have only the method. */
interface Convertible {
  toJSONSchema?(options: { readonly io: Side; readonly target: "draft-7" } & typeof ofZod): unknown;
}

/**
 * The JSON Schema (draft 7) of what a schema takes or gives. Null if the library has none, or cannot express
 * this schema.
 */
export function jsonSchemaOf(schema: StandardSchema & Convertible, side: Side): JsonSchema | null {
  try {
    const { jsonSchema } = schema["~standard"];
    const json =
      jsonSchema?.[side]({ target: "draft-07", libraryOptions: ofZod }) ??
      schema.toJSONSchema?.({ io: side, target: "draft-7", ...ofZod });
    return isSchema(json) ? json : null;
  } catch {
    return null;
  }
}
