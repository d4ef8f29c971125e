/** The type of an array's elements, `varchar(20)` of `varchar(20)[]`; null for what is no array. */
export function elementTypeOf(type: string): string | null {
  return type.endsWith("[]") ? type.slice(0, -"[]".length) : null;
}

/** `varchar` of `varchar(20)`. */
export function familyOf(type: string): string {
  return type.replace(/\(.*?\)/, "");
}
