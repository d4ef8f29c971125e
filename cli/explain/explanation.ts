import type { ServiceError } from "#runtime/core/errors/index";
import type { EvaluatedPart, Truth } from "./evaluate-parts.ts";

/** What `kirak explain` asks. */
export interface ExplainRequest {
  /** `<model>.<operation>`; null with a GraphQL document. */
  readonly subject: string | null;
  /** `guest`, a role, `user:<id>` or `key:<prefix>`. */
  readonly as: string;
  /** JSON texts. */
  readonly query: string | null;
  readonly where: string | null;
  readonly data: string | null;
  readonly variables: string | null;
  readonly id: string | null;
  readonly graphql: string | null;
  readonly sql: boolean;
  readonly plan: boolean;
  readonly analyze: boolean;
  readonly json: boolean;
}

/** A mistake in the words of the command: exit code 2. */
export class WrongArguments extends Error {
  override readonly name = "WrongArguments";
}

/** The answer that the service would give. */
export interface Verdict {
  readonly outcome: "allowed" | "refused" | "not found";
  /** The last line of the output. */
  readonly text: string;
  /** The field that the refusal names. */
  readonly field?: string;
}

export const allowed: Verdict = { outcome: "allowed", text: "allowed" };

/** A refusal, such as `403 PERMISSION_DENIED, no rule holds`. */
export function denied(reason: string): Verdict {
  return { outcome: "refused", text: `refused: ${reason}` };
}

export function missing(reason: string): Verdict {
  return { outcome: "not found", text: `not found: ${reason}` };
}

/** The verdict of an error. */
export function verdictOf({ code, status, message, details }: ServiceError): Verdict {
  const { field } = details ?? {};
  const verdict = status === 404 ? missing(message) : denied(`${status} ${code}, ${message}`);
  return typeof field === "string" ? { ...verdict, field } : verdict;
}

/** A rule for the caller. */
export interface ExplainedRule {
  /** Relative to the project. */
  readonly file: string;
  readonly line: number;
  readonly role: string;
  /** As in the models file; null for all rows. */
  readonly condition: string | null;
  readonly fields: readonly string[] | null;
  /** False for a rule whose `fields` lack a sent field. */
  readonly counts: boolean;
}

/** The rules for the rows of an operation. An upsert has two sets. */
export interface ExplainedRules {
  readonly about: "rows" | "new rows" | "existing rows";
  readonly rules: readonly ExplainedRule[];
  /** The rules that count, OR-combined. */
  readonly combined: string;
}

/** A state of a row, with each rule that counts. */
export interface ExplainedState {
  readonly state: "row" | "before the change" | "after the change" | "new row";
  readonly rules: readonly {
    readonly file: string;
    readonly line: number;
    readonly role: string;
    readonly holds: Truth;
    /** Null for a rule without condition. */
    readonly condition: EvaluatedPart | null;
  }[];
}

/** A row that was asked about. */
export interface ExplainedRow {
  /** Null for a new row. */
  readonly id: string | null;
  readonly states: readonly ExplainedState[];
  readonly answer: Verdict;
}

/** A statement of the service. */
export interface ExplainedStatement {
  readonly text: string;
  readonly values: readonly unknown[];
  readonly plan?: readonly string[];
  readonly warnings?: readonly string[];
}

/** What `kirak explain` answers, and prints with `--json`. */
export interface Explanation {
  readonly model: string;
  readonly operation: string;
  readonly caller: { readonly name: string; readonly role: string; readonly user_id: string | null };
  readonly rules: readonly ExplainedRules[];
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  readonly rate_limit: string;
  readonly hooks: readonly { readonly name: string; readonly file: string }[];
  readonly notes: readonly string[];
  readonly rows: readonly ExplainedRow[];
  /** Rows that are not in `rows`. */
  readonly more_rows: number;
  readonly statements: readonly ExplainedStatement[];
  readonly answer: Verdict;
}

/** What `kirak explain --graphql` answers. */
export interface ExplainedDocument {
  /** By response key, in document order. */
  readonly fields: readonly { readonly key: string; readonly explanation: Explanation }[];
  /** Of a query, with its joins. */
  readonly statements: readonly ExplainedStatement[];
  readonly answer: Verdict;
}
