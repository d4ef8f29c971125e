/** Types of which PostgreSQL prints a number in quotes at times. */
const numberTypes = /^(?:smallint|integer|bigint|numeric|real|double precision)\b/;

/** A constant without its quotes as a number, where its type is one of numbers; else null. */
export function canonicalNumber(constant: string, type: string): string | null {
  return numberTypes.test(type) && /^-?\d+(\.\d+)?$/.test(constant) ? withoutLastZeros(constant) : null;
}

/** A text of SQL, the numbers in it without the zeros at their end. */
export function withoutLastZeros(text: string): string {
  return text.replace(/(?<![\w.])(\d+)(\.\d*?)0*(?!\w)/g, (_, whole: string, rest: string) =>
    rest === "." ? whole : whole + rest,
  );
}
