import type { ApiField } from "../../emit/views/api-surface.ts";

/** One rule of fields: what is worse for callers than before, in words, or null. */
export type FieldRule = (
  before: ApiField,
  after: ApiField,
) => { readonly what: string; readonly notices: string } | null;

/** Who notices most changes of a field. */
export const everyUser = "whoever sends, reads or filters by it";

/** Whether somebody reads the field, before and after. */
export function isRead(before: ApiField, after: ApiField): boolean {
  return before.read !== "nobody" && after.read !== "nobody";
}

/** Whether somebody sends the field, before and after. */
export function isSent(before: ApiField, after: ApiField): boolean {
  return before.write !== "nobody" && after.write !== "nobody";
}
