import type { ValueNode } from "graphql";

/** An argument as it stands in the text; `argumentValue` reads it. */
export interface Argument {
  readonly name: string;
  readonly value: ValueNode;
}

/** One selected field after fragments, `@skip` and `@include`; fields of one response key are one. */
export interface Field {
  /** The response key: the alias, else the name. */
  readonly key: string;
  readonly name: string;
  /** In the order of the text. */
  readonly args: readonly Argument[];
  /** Null where no sub-selection was sent. One may be empty: all of it was skipped. */
  readonly selection: Selection | null;
}

/** The fields of one object, and the type conditions of the fragments that gave them. */
export interface Selection {
  readonly fields: readonly Field[];
  readonly on: readonly string[];
}
