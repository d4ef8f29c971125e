import { parse } from "postgres-array";

const typeCast =
  /::[\w."]+(?: varying| precision)?(?:\(\d+(?:,\d+)?\))?(?: with(?:out)? time zone)?(?:\[\])*/g;

/**
 * An expression without the parts that depend on how the column got its type: casts, parentheses, blanks and
 * trailing zeros of numbers, except inside quotes. If one of two equal results is a default or an enumeration
 * of Kirak's, both expressions have the same effect.
 */
export function canonicalExpression(expression: string): string {
  return expression
    .split(/('(?:[^']|'')*')/)
    .map((part, index, parts) => {
      if (index % 2 === 0) return withoutLastZeros(part.replace(typeCast, "").replace(/[()\s]/g, ""));
      const cast = parts[index + 1] ?? "";
      return canonicalNumber(part.slice(1, -1), cast.replace("::", "")) ?? arrayConstant(part, cast) ?? part;
    })
    .join("")
    .replace(/^CURRENT_TIMESTAMP$/, "now");
}

/**
 * A foreign key without the clauses that have no effect on a service. A service never updates referenced
 * keys.
 */
export function foreignKeyEffect(definition: string): string {
  return definition.replace(
    / ON UPDATE (?:CASCADE|RESTRICT|SET NULL|SET DEFAULT)| ON DELETE RESTRICT| DEFERRABLE(?! INITIALLY DEFERRED)/g,
    "",
  );
}

/** A definition without `NOT VALID` and `NOT ENFORCED`. */
export function withoutState(definition: string): string {
  return definition.replace(/ NOT (?:VALID|ENFORCED)$/, "");
}

/** A type as migrations spell it. */
export function shortType(type: string): string {
  return type
    .replace(/^character varying/, "varchar")
    .replace(/^character\b/, "char")
    .replace(/^(timestamp|time)(\(\d\))? with time zone/, "$1tz$2")
    .replace(/^(timestamp|time)(\(\d\))? without time zone/, "$1$2");
}

/**
 * Rewrites an array in one constant, `'{a,b}'::text[]`, element by element and without casts:
 * `ARRAY['a','b']`. `cast` is the text after the constant. Returns null if the constant is not an array.
 */
function arrayConstant(constant: string, cast: string): string | null {
  const type = /^::([^[]*)\[\]/.exec(cast)?.[1];
  if (type === undefined || !/^'\{.*\}'$/s.test(constant)) return null;
  const elements: unknown[] = parse(constant.slice(1, -1).replaceAll("''", "'"), (text) =>
    element(text, type),
  );
  return `ARRAY[${elements.map((one) => one ?? "NULL").join(",")}]`;
}

function element(text: string, type: string): string {
  if (type === "boolean") return text === "t" ? "true" : "false";
  return canonicalNumber(text, type) ?? `'${text.replaceAll("'", "''")}'`;
}

/** Types whose numbers PostgreSQL sometimes prints in quotes. */
const numberTypes = /^(?:smallint|integer|bigint|numeric|real|double precision)\b/;

/** The number of a quoted constant; null if its type is not numeric. */
export function canonicalNumber(constant: string, type: string): string | null {
  return numberTypes.test(type) && /^-?\d+(\.\d+)?$/.test(constant) ? withoutLastZeros(constant) : null;
}

/** An SQL text whose numbers have no trailing zeros. */
export function withoutLastZeros(text: string): string {
  return text.replace(/(?<![\w.])(\d+)(\.\d*?)0*(?!\w)/g, (_, whole: string, rest: string) =>
    rest === "." ? whole : whole + rest,
  );
}
