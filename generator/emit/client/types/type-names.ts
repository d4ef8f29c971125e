import type { DocumentSchema, OpenApiDocument } from "../../../../vocabulary/openapi/document.ts";
import { clientTypeNames } from "../../openapi/component-names.ts";
import { pascalCase } from "../../openapi/route-names.ts";
import { isPart } from "../json-parts.ts";
import { interfaceText, memberTexts } from "./declarations.ts";
import { type NameOf, propertiesOf, schemaType, type ValueSide } from "./schema-types.ts";

/** The names of a client's types, and the declarations that have them. */
export class TypeNames {
  readonly #taken: Set<string>;
  /** Names by component. Those that each client has are in `templates/client/types.ts`. */
  readonly #components = new Map([["FailedRecord", "FailedRecord"]]);
  readonly #declarations: string[] = [];
  readonly #document: OpenApiDocument;

  /** `reserved` are names of types that are declared elsewhere. */
  constructor(document: OpenApiDocument, reserved: Iterable<string>) {
    this.#document = document;
    this.#taken = new Set([...clientTypeNames, ...reserved]);
  }

  /** The declarations so far. */
  get declarations(): readonly string[] {
    return this.#declarations;
  }

  /** A name that no other type has. */
  free(words: string): string {
    const wanted = pascalCase(words);
    let name = wanted;
    for (let number = 2; this.#taken.has(name); number++) name = `${wanted}${number}`;
    this.#taken.add(name);
    return name;
  }

  /** The type of a component. Its first use declares it. */
  readonly ofComponent: NameOf = (component, side) => {
    const known = this.#components.get(component);
    if (known !== undefined) return known;
    const name = this.free(component);
    // Before its content, which can refer to it.
    this.#components.set(component, name);
    this.#declare(name, this.#document.components.schemas[component] ?? true, side);
    return name;
  };

  typeOf(schema: DocumentSchema, side: ValueSide): string {
    return schemaType(schema, side, this.ofComponent);
  }

  /** Declares the type of a schema and returns its name. A type that has a name, and lists of it, need no declaration. */
  named(words: string, schema: DocumentSchema, side: ValueSide): string {
    const type = this.typeOf(schema, side);
    if (/^\w+(\[\])*$|^\{ \[/.test(type)) return type;
    const name = this.free(words);
    this.#declare(name, schema, side);
    return name;
  }

  /** Adds a declaration that is not of a schema. */
  add(text: string): void {
    this.#declarations.push(text);
  }

  #declare(name: string, schema: DocumentSchema, side: ValueSide): void {
    this.add(
      isInterface(schema)
        ? interfaceText({ name }, memberTexts(propertiesOf(schema, side, this.ofComponent), side))
        : `export type ${name} = ${this.typeOf(schema, side)};`,
    );
  }
}

/** Whether a schema names properties and nothing else. */
function isInterface(schema: DocumentSchema): boolean {
  if (!isPart(schema) || schema["type"] !== "object" || !isPart(schema["properties"])) return false;
  const others = ["$ref", "allOf", "anyOf", "oneOf", "enum", "const", "patternProperties"];
  const isOpen = ![undefined, false].some((value) => value === schema["additionalProperties"]);
  return !isOpen && !others.some((keyword) => schema[keyword] !== undefined);
}
