import { isJsonObject, type Json } from "../json.ts";

/** A JSON Schema of draft 2020-12. */
export type DocumentSchema = boolean | { readonly [keyword: string]: Json };

/** A map of an OpenAPI document, such as `components.schemas`. */
export type Entries<Value> = Readonly<Record<string, Value>>;

/** A part of a document of which Kirak reads nothing by type: a parameter, a response, a reference. */
export type Part = { readonly [key: string]: Json };

/** The roles that reach an operation, and their rows; without `rows` all rows. */
export type AccessEntry = {
  readonly role: string;
  /** The condition as in the access matrix. */
  readonly rows?: string;
  /** The rule counts only for writes that send no other fields. */
  readonly fields?: readonly string[];
  /** For an upsert that has the rules of create and update. */
  readonly part?: "insert" | "update";
};

/** One operation of an OpenAPI document. */
export type DocumentedOperation = {
  readonly operationId: string;
  readonly tags: readonly [string];
  readonly summary: string;
  readonly description?: string;
  readonly security: readonly Entries<readonly string[]>[];
  readonly parameters?: readonly Part[];
  readonly requestBody?: Part;
  /** By status, `2XX`, `3XX` or `default`. */
  readonly responses: Entries<Part>;
  readonly "x-kirak-access"?: readonly AccessEntry[];
  readonly "x-kirak-limit"?: Part;
};

export const documentedMethods = ["get", "post", "put", "patch", "delete"] as const;

export type DocumentedMethod = (typeof documentedMethods)[number];

/** The operations of a path. */
export type PathItem = { readonly [Method in DocumentedMethod]?: DocumentedOperation };

/** The maps of `components`, in the order in which they are printed. */
export interface Components {
  readonly schemas: Entries<DocumentSchema>;
  readonly responses: Entries<Part>;
  readonly parameters: Entries<Part>;
  readonly headers: Entries<Part>;
  readonly securitySchemes: Entries<Part>;
}

/** An OpenAPI 3.1 document as Kirak writes it. */
export interface OpenApiDocument {
  readonly openapi: "3.1.1";
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Entries<PathItem>;
  readonly components: Components;
}

/** An object of a document; empty for another value. */
export function partIn(value: Json | undefined): Part {
  return isJsonObject(value) ? value : {};
}

/** A reference to an entry of `components`. */
export function reference(map: keyof Components, name: string): { readonly $ref: string } {
  return { $ref: `#/components/${map}/${name}` };
}
