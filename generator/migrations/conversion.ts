import type { Column, ColumnType, StepClass } from "./schema.ts";

/** Types that PostgreSQL casts to each other; texts are cast to and from all. */
const castable: Readonly<Partial<Record<ColumnType, readonly ColumnType[]>>> = {
  bigint: ["integer", "double precision"],
  boolean: ["integer"],
  date: ["timestamptz(3)"],
  "double precision": ["integer", "bigint"],
  integer: ["bigint", "double precision", "boolean"],
  jsonb: ["bigint", "boolean", "double precision", "integer"],
  "timestamptz(3)": ["date"],
};

/** Types that hold every value of the type before them. */
const wider: Readonly<Partial<Record<ColumnType, readonly ColumnType[]>>> = {
  integer: ["bigint", "double precision"],
  date: ["timestamptz(3)"],
};

/** Why the values of one column cannot become those of another, or null where they can. */
export function lossOf(old: Column, now: Column): string | null {
  if (old.secret === true && now.secret !== true)
    return "drops the stored password hashes, which a field of another type would show to its readers";
  if (old.secret !== true && now.secret === true)
    return "drops the stored values: they are plain text, and a password is stored as a hash only";
  const cast = old.type === now.type || isText(old.type) || isText(now.type);
  if (cast || castable[old.type]?.includes(now.type)) return null;
  return `drops the column with all of its values, since PostgreSQL turns no ${old.type} into ${now.type}`;
}

/** Whether each value of one column type stays as it is in the other. */
export function typeClass(from: ColumnType, to: ColumnType): StepClass {
  const [fromLength, toLength] = [lengthOf(from), lengthOf(to)];
  if (fromLength !== null) return to === "text" || (toLength ?? 0) >= fromLength ? "widening" : "destructive";
  return wider[from]?.includes(to) ? "widening" : "destructive";
}

function isText(type: ColumnType): boolean {
  return type === "text" || lengthOf(type) !== null;
}

function lengthOf(type: ColumnType): number | null {
  const length = /^varchar\((\d+)\)$/.exec(type)?.[1];
  return length === undefined ? null : Number(length);
}
