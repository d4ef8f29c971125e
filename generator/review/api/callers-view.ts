import { type CreatingOperation, creatingOperations } from "../../../vocabulary/hook-names.ts";
import type { ApiField, ApiModel } from "../../emit/views/api-surface.ts";

/** What someone does with a model both before and after a change: no one notices the rest of it. */
export interface ModelUse {
  /** Reads fields, or filters by them. */
  readonly reads: boolean;
  /** Sends fields. */
  readonly sends: boolean;
  /** Sends whole records. */
  readonly creates: readonly CreatingOperation[];
  readonly upserts: boolean;
  readonly searches: boolean;
}

/** How a model is used on both sides of a change. */
export function useOf(was: ApiModel, is: ApiModel): ModelUse {
  const common = was.operations.filter((name) => is.operations.includes(name));
  const usesOneOf = (...names: readonly string[]) => names.some((name) => common.includes(name));
  return {
    reads: common.some((name) => name !== "upsert"),
    sends: usesOneOf("create", "update", "upsert"),
    creates: creatingOperations.filter((name) => common.includes(name)),
    upserts: usesOneOf("upsert"),
    searches: usesOneOf("search"),
  };
}

/** A field on both sides of a change, with what hooks fill in where they do not say so: on both sides the same. */
export function withKnownFills(
  [was, before]: readonly [ApiModel, ApiField],
  [is, after]: readonly [ApiModel, ApiField],
): readonly [ApiField, ApiField] {
  const fills = ({ filled = [] }: ApiField, name: CreatingOperation) => filled.includes(name);
  const [may, mayNow] = [was.may_fill ?? [], is.may_fill ?? []];
  const former = creatingOperations.filter(
    (name) => fills(before, name) || (may.includes(name) && !mayNow.includes(name)),
  );
  const now = creatingOperations.filter(
    (name) => fills(after, name) || (mayNow.includes(name) && fills(before, name)),
  );
  return [
    { ...before, filled: former },
    { ...after, filled: now },
  ];
}

/** A field with no more than callers see of it by that use. */
export function asSeen(field: ApiField, use: ModelUse): ApiField {
  const { required, filled = [], default: value, preset, searchable, ...rest } = field;
  const creates = use.creates.length > 0;
  const left = use.creates.filter((name) => filled.includes(name));
  return {
    ...rest,
    ...(required !== undefined && left.length < use.creates.length ? { required, filled: left } : {}),
    ...(creates && value !== undefined ? { default: value } : {}),
    ...(creates && preset !== undefined ? { preset } : {}),
    ...(use.searches && searchable !== undefined ? { searchable } : {}),
    ...(use.reads ? {} : { read: "nobody" }),
    ...(use.sends ? {} : { write: "nobody" }),
  };
}

/** Whether no one reads or writes the field. */
export function isHiddenFromCallers({ read, write }: ApiField): boolean {
  return read === "nobody" && write === "nobody";
}
