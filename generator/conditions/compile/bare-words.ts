import { fieldKinds } from "../../../vocabulary/fields/field-kinds.ts";
import { nearest } from "../../../vocabulary/nearest.ts";
import type { ConditionColumn } from "./condition-scope.ts";

/** The value of an enum that a bare word was meant to be, or null. */
export function meantMember(word: string, column: ConditionColumn): string | null {
  const found = nearest(word, (column.enum ?? []).map(String));
  return found === null || !isText(column) ? null : inQuotes(found);
}

/** What to write for a bare word beside a column of text, or null. */
export function meantText(word: string, column: ConditionColumn): string | null {
  return meantMember(word, column) ?? (isText(column) ? inQuotes(word) : null);
}

function inQuotes(text: string): string {
  return `a string stands in quotes: '${text}'`;
}

function isText({ kind }: ConditionColumn): boolean {
  return kind !== null && fieldKinds[kind].families.includes("text");
}
