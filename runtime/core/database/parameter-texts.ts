import { exactText } from "../../../vocabulary/json.ts";

/** Parameters of one statement, of which PostgreSQL counts no more. */
const maxParameters = 65_535;

/**
 * Values as PostgreSQL reads them: arrays become array literals, dates ISO 8601, other objects JSON. pg's own conversion writes
 * dates in the time zone of this process, and the number of values that it sends begins anew at 65,536. Throws a RangeError
 * for so many.
 */
export function parameterTexts(values: readonly unknown[]): (string | null)[] {
  if (values.length > maxParameters)
    throw new RangeError(`a statement takes ${maxParameters} values and not ${values.length}`);
  return values.map(toText);
}

function toText(value: unknown): string | null {
  if (typeof value === "string") return value;
  if (value === null || value === undefined) return null;
  if (typeof value === "object") return objectToText(value);
  return String(value);
}

function objectToText(value: object): string {
  if (Array.isArray(value)) return `{${value.map(elementToText).join(",")}}`;
  if (value instanceof Date) return value.toISOString();
  return exactText(value);
}

function elementToText(element: unknown): string {
  if (Array.isArray(element)) return objectToText(element);
  const text = toText(element);
  if (text === null) return "NULL";
  return typeof element === "number" ? text : `"${text.replace(/["\\]/g, "\\$&")}"`;
}
