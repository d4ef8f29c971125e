const typeCast =
  /::[\w."]+(?: varying| precision)?(?:\(\d+(?:,\d+)?\))?(?: with(?:out)? time zone)?(?:\[\])*/g;

/**
 * An expression without what depends on how a column came to its type: casts, parentheses, blanks and the last zeros of a
 * number, but for those inside quotes. Two that are equal so, one of them a default or an enumeration that Kirak makes, are equal in effect.
 */
export function canonicalExpression(expression: string): string {
  return expression
    .split(/('(?:[^']|'')*')/)
    .map((part, index) => (index % 2 === 1 ? part : part.replace(typeCast, "").replace(/[()\s]/g, "")))
    .join("")
    .replace(/^CURRENT_TIMESTAMP$/, "now")
    .replace(/^(\d+)(\.\d*?)0*$/, (_, whole: string, rest: string) => (rest === "." ? whole : whole + rest));
}

/** A foreign key without the clauses that make no difference to a service: it never changes what a key points at. */
export function foreignKeyEffect(definition: string): string {
  return definition.replace(
    / ON UPDATE (?:CASCADE|RESTRICT|SET NULL|SET DEFAULT)| ON DELETE RESTRICT| DEFERRABLE(?! INITIALLY DEFERRED)/g,
    "",
  );
}

/** A definition without how far it is enforced. */
export function withoutState(definition: string): string {
  return definition.replace(/ NOT (?:VALID|ENFORCED)$/, "");
}

/** A type in the words of migrations. */
export function shortType(type: string): string {
  return type
    .replace(/^character varying/, "varchar")
    .replace(/^character\b/, "char")
    .replace(/^(timestamp|time)(\(\d\))? with time zone/, "$1tz$2")
    .replace(/^(timestamp|time)(\(\d\))? without time zone/, "$1$2");
}
