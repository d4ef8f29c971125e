/**
 * What to write for `or=`, `$or`, `or[0][title]=` and the like, which combine filters elsewhere; null for any other name. `form` is
 * how an operator is written.
 */
export function combinedFilters(
  key: string,
  form = (operator: string) => `field__${operator}`,
): string | null {
  switch (/^[$_]*(or|and|not)(?![a-z0-9_])/i.exec(key)?.[1]?.toLowerCase()) {
    case "or":
      return `is not a field, and filters know no OR: ${form("in")} takes one of several values; all else takes a request each`;
    case "and":
      return "is not a field; all filters of a request must hold: write them side by side";
    case "not":
      return `is not a field; write ${form("ne")}, ${form("not_in")} or ${form("is_not_null")}`;
    default:
      return null;
  }
}
