import { ServiceError } from "../../core/errors/index.ts";
import type { RoleView } from "./role-view.ts";

/** The parts of a request in which fields are named. */
export interface FieldMentions {
  readonly filters?: readonly { readonly field: string }[];
  readonly order_by?: string | null;
  readonly select_fields?: readonly string[] | null;
  /** Rows that are named by their ids. */
  readonly ids?: readonly unknown[];
  readonly group_by?: readonly string[];
  /** A record of a body. */
  readonly data?: object;
}

export interface FieldUse {
  readonly read: readonly string[];
  readonly write: readonly string[];
}

/**
 * The one place that decides which fields a request uses. Whoever filters, orders or groups by a field, or names
 * rows by it, learns of its values, so all of that is reading (decisions, part 4). REST and GraphQL both ask here.
 */
export function fieldsUsed(mentions: FieldMentions): FieldUse {
  const read = [
    ...(mentions.filters ?? []).map((filter) => filter.field),
    ...(mentions.select_fields ?? []),
    ...(mentions.group_by ?? []),
    ...(mentions.ids === undefined ? [] : ["id"]),
  ];
  if (mentions.order_by != null) read.push(mentions.order_by);
  return { read, write: Object.keys(mentions.data ?? {}) };
}

/** Refuses, as 403 `PERMISSION_DENIED`, a request that names a field which the role may not read or write. */
export function requireFields(view: RoleView, mentions: FieldMentions): void {
  if (!view.restricted) return;
  const { read, write } = fieldsUsed(mentions);
  for (const field of read) if (view.unreadable.has(field)) throw forbidden(field, "read");
  for (const field of write) if (view.unwritable.has(field)) throw forbidden(field, "write");
}

function forbidden(field: string, deed: "read" | "write"): ServiceError {
  return new ServiceError("PERMISSION_DENIED", `Your role may not ${deed} the field ${field}.`, { field });
}
