import type { DocumentedOperation, OpenApiDocument } from "../../../../vocabulary/openapi/document.ts";
import { propertyName, stringLiteral } from "../../literal.ts";
import { resolved, schemaOf } from "../document-operations.ts";
import { isDocumentSchema, isList, isPart, propertiesIn } from "../json-parts.ts";
import { interfaceText } from "./declarations.ts";
import { unionType } from "./schema-types.ts";
import type { TypeNames } from "./type-names.ts";

/** Codes of the client itself, in `templates/client/errors.ts`. */
const ofClient: ReadonlySet<string> = new Set(["NETWORK_ERROR", "TIMEOUT", "ABORTED", "UNEXPECTED_ANSWER"]);

/** Statuses of refusals that tell when to try again. */
const temporary = new Set(["429", "503"]);

/** The error codes of operations, and the types that name them. */
export class ErrorCodes {
  readonly #document: OpenApiDocument;
  readonly #names: TypeNames;
  readonly #unions = new Map<string, string>();
  readonly #statuses = new Map<string, Set<string>>();

  constructor(document: OpenApiDocument, names: TypeNames) {
    this.#document = document;
    this.#names = names;
  }

  /** The type of an operation's codes. Operations with the same codes share one; `words` are for the name of a new one. */
  of(operation: DocumentedOperation, words: string): string {
    const codes = this.#codesOf(operation);
    const union = unionType(["ClientCode", ...codes.map(stringLiteral)]);
    const known = this.#unions.get(union);
    if (known !== undefined) return known;
    const name = this.#names.free(`${words} code`);
    this.#unions.set(union, name);
    this.#names.add(`export type ${name} = ${union};`);
    return name;
  }

  #codesOf(operation: DocumentedOperation): string[] {
    const found = Object.entries(operation.responses).flatMap(([status, response]) => {
      const schema = schemaOf(resolved(this.#document, response)["content"], "application/json");
      const { error } = propertiesIn(schema ?? {});
      const codes = isPart(error) && isList(error["enum"]) ? error["enum"].map(String) : [];
      for (const code of codes) this.#statuses.set(code, (this.#statuses.get(code) ?? new Set()).add(status));
      return codes;
    });
    return [...new Set(found)].sort();
  }

  /** What the errors of all operations so far have, by code. */
  table(): string {
    const { details } = propertiesIn(this.#document.components.schemas["Error"]);
    const type = isDocumentSchema(details)
      ? this.#names.named("ErrorDetails", details, "answered")
      : "unknown";
    const rows = [...this.#statuses]
      .filter(([code]) => !ofClient.has(code))
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([code, statuses]) => `${propertyName(code)}: ${rowText([...statuses].sort(), type)};`);
    return interfaceText({ name: "ErrorTable" }, rows);
  }
}

function rowText(statuses: readonly string[], details: string): string {
  const retries = statuses.some((status) => temporary.has(status)) ? "number" : "undefined";
  return `{ status: ${statuses.join(" | ")}; details?: ${details}; retryAfter?: ${retries} }`;
}
