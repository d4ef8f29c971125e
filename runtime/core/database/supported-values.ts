// Which values the API supports, from PostgreSQL's text with ISO dates in UTC.

const dash = 0x2d;
const nine = 0x39;
const letterC = 0x43;

/** Not `NaN` or `Infinity`. */
export function isSupportedNumber(text: string): boolean {
  return text.charCodeAt(text.length - 1) <= nine;
}

/** Whether a date is in the years 1 to 9999: `2026-01-02`, but not `0044-03-15 BC` or `infinity`. */
export function isSupportedDate(text: string): boolean {
  return text.length === 10 && text.charCodeAt(4) === dash;
}

/** Whether a timestamp, with or without a time zone, is in the years 1 to 9999. */
export function isSupportedTimestamp(text: string): boolean {
  return text.charCodeAt(4) === dash && text.charCodeAt(text.length - 1) !== letterC;
}

/** Not the end of the day, `24:00:00`. */
export function isSupportedTime(text: string): boolean {
  return !text.startsWith("24");
}
