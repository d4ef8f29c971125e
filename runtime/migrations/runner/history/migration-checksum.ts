import { createHash } from "node:crypto";
import type { Column, Migration, Step } from "../../../../vocabulary/migrations/migration-steps.ts";
import { sqlChecksumInput } from "../../../../vocabulary/migrations/sql-migration.ts";

/**
 * SHA-256, in hex, of a migration's steps as canonical JSON. Ignores the order of keys, the formatting, and
 * properties that only the generator reads.
 */
export function checksumOf({ up, down, sql }: Migration): string {
  return sql === undefined
    ? checksumOfContent({ up: up.map(toDatabase), down: down.map(toDatabase) })
    : checksumOfContent(sqlChecksumInput(sql));
}

/** SHA-256, in hex, of data as canonical JSON. */
export function checksumOfContent(content: unknown): string {
  return createHash("sha256").update(canonical(content)).digest("hex");
}

/** A step without properties that the database does not have: the model, and columns with passwords. */
function toDatabase(step: Step): Step {
  if (step.step === "add_column") return { ...step, column: withoutSecret(step.column) };
  if (step.step === "rename_table") return withoutModel(step);
  if (step.step !== "create_table") return step;
  return { ...withoutModel(step), columns: step.columns.map(withoutSecret) };
}

function withoutSecret({ secret: _, ...column }: Column): Column {
  return column;
}

function withoutModel<Named extends { readonly model?: string }>({ model: _, ...step }: Named) {
  return step;
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const entries = Object.entries(value)
    .filter(([, part]) => part !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, part]) => `${JSON.stringify(key)}:${canonical(part)}`);
  return `{${entries.join(",")}}`;
}
