import type { ApiField, ApiModel } from "../../emit/views/api-surface.ts";

/** What somebody does with a model both before and after a change: nobody notices the rest of it. */
export interface Use {
  /** Reads fields, or filters by them. */
  readonly reads: boolean;
  /** Sends fields. */
  readonly sends: boolean;
  /** Sends whole records. */
  readonly creates: boolean;
  readonly upserts: boolean;
  readonly searches: boolean;
}

/** How a model is used on both sides of a change. */
export function useOf(was: ApiModel, is: ApiModel): Use {
  const common = was.operations.filter((name) => is.operations.includes(name));
  const usesOneOf = (...names: readonly string[]) => names.some((name) => common.includes(name));
  return {
    reads: common.some((name) => name !== "upsert"),
    sends: usesOneOf("create", "update", "upsert"),
    creates: usesOneOf("create", "upsert"),
    upserts: usesOneOf("upsert"),
    searches: usesOneOf("search"),
  };
}

/** A field with no more than callers see of it by that use. */
export function seen(field: ApiField, use: Use): ApiField {
  const { required, default: value, preset, searchable, ...rest } = field;
  return {
    ...rest,
    ...(use.creates && required !== undefined ? { required } : {}),
    ...(use.creates && value !== undefined ? { default: value } : {}),
    ...(use.creates && preset !== undefined ? { preset } : {}),
    ...(use.searches && searchable !== undefined ? { searchable } : {}),
    ...(use.reads ? {} : { read: "nobody" }),
    ...(use.sends ? {} : { write: "nobody" }),
  };
}

/** Whether nobody reads or writes the field. */
export function isClosed({ read, write }: ApiField): boolean {
  return read === "nobody" && write === "nobody";
}
