import { type CreatingOperation, creatingOperations } from "../../../vocabulary/hook-names.ts";
import type { ApiField, ApiModel } from "../../emit/views/api-surface.ts";

/** How callers use a model both before and after a change. They notice no other part of it. */
export interface ModelUse {
  /** Whether callers read fields or filter by them. */
  readonly reads: boolean;
  /** Whether callers send fields. */
  readonly sends: boolean;
  /** The operations that take whole records. */
  readonly creates: readonly CreatingOperation[];
  readonly upserts: boolean;
  readonly searches: boolean;
}

/** The operations that a model has on both sides of a change. */
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

/** A field on both sides of a change. Where only one side declares what its hooks fill in, the other side is taken to be equal. */
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

/** The part of a field that callers see by their use of the model. */
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

/** Whether no caller can read or write the field. */
export function isHiddenFromCallers({ read, write }: ApiField): boolean {
  return read === "nobody" && write === "nobody";
}
