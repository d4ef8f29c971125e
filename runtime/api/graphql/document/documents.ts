import { BoundedCache } from "../../../core/concurrency/index.ts";
import type { Selection } from "./document-fields.ts";
import { chooseOperation, makeOperation, type Operation, type OperationSettings } from "./operation.ts";
import { type Parsed, parseText } from "./parse-document.ts";
import type { Limits } from "./text-limits.ts";

interface Known {
  readonly parsed: Parsed;
  /** By the name that was asked for. */
  readonly operations: Map<string | null, Operation>;
}

/** About what a token of a document costs in bytes once it is nodes. */
const bytesOfToken = 250;

/** Callers choose the texts, so there is no end of them: about 32 MB of documents, and 100,000 selected fields. */
const capacity = {
  documents: { entries: 1_000, weight: 32_000_000 },
  selections: { entries: 5_000, weight: 100_000 },
};

/** The documents of one service by text: each is parsed and checked once, for as long as it is remembered. */
export class Documents {
  readonly #settings: OperationSettings;
  readonly #documents = new BoundedCache<Known>(capacity.documents);

  constructor(limits: Limits) {
    this.#settings = { limits, selections: new BoundedCache<Selection>(capacity.selections) };
  }

  /**
   * An operation of a text. Errors: 400 `VALIDATION_ERROR` with `details.field` (`query`, `operationName` or a
   * variable's name); 403 `PERMISSION_DENIED` for introspection.
   */
  operation(text: string, operationName: string | null): Operation {
    const { parsed, operations } = this.#documents.get(text) ?? this.#read(text);
    const known = operations.get(operationName);
    if (known !== undefined) return known;
    const node = chooseOperation(parsed, operationName);
    const made = makeOperation(node, parsed.fragments, this.#settings);
    operations.set(operationName, made);
    return made;
  }

  #read(text: string): Known {
    const parsed = parseText(text);
    const weight = text.length + parsed.tokens * bytesOfToken;
    return this.#documents.add(text, { parsed, operations: new Map() }, weight);
  }
}
