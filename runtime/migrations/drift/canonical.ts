const typeCast =
  /::[\w."]+(?: varying| precision)?(?:\(\d+(?:,\d+)?\))?(?: with(?:out)? time zone)?(?:\[\])*/g;

/** Types of which PostgreSQL prints a number in quotes at times. */
const numberCast = /^::(?:smallint|integer|bigint|numeric|real|double precision)\b/;

/**
 * An expression without what depends on how a column came to its type: casts, parentheses, blanks and the last zeros of a
 * number, but for those inside quotes. Two that are equal so, one of them a default or an enumeration that Kirak makes, are equal in effect.
 */
export function canonicalExpression(expression: string): string {
  return expression
    .split(/('(?:[^']|'')*')/)
    .map((part, index, parts) => {
      if (index % 2 === 0) return shortened(part.replace(typeCast, "").replace(/[()\s]/g, ""));
      const isNumber = /^'-?\d+(\.\d+)?'$/.test(part) && numberCast.test(parts[index + 1] ?? "");
      return isNumber ? shortened(part.slice(1, -1)) : part;
    })
    .join("")
    .replace(/^CURRENT_TIMESTAMP$/, "now");
}

/** Numbers without the zeros at their end. */
function shortened(text: string): string {
  return text.replace(/(?<![\w.])(\d+)(\.\d*?)0*(?!\w)/g, (_, whole: string, rest: string) =>
    rest === "." ? whole : whole + rest,
  );
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
