const day = /^(\d{4})-(\d{2})-(\d{2})$/;
const moment = /^(\d{4}-\d{2}-\d{2})T(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d+))?)?(Z|[+-]\d{2}:?\d{2})?$/;

/** A day `YYYY-MM-DD` that exists in the years 0001 to 9999, or null (decisions, part 5). */
export function canonicalDate(text: string): string | null {
  const [, year, month, date] = day.exec(text) ?? [];
  if (year === undefined || year === "0000") return null;
  const time = Date.parse(`${text}T00:00:00.000Z`);
  if (Number.isNaN(time)) return null;
  // Date.parse takes 2025-02-31 for a day in March.
  const exists =
    new Date(time).getUTCMonth() + 1 === Number(month) && new Date(time).getUTCDate() === Number(date);
  return exists ? text : null;
}

/**
 * A day or a moment as `YYYY-MM-DDTHH:mm:ss.sssZ`, or null; without an offset it is UTC (decisions, part 5). Digits beyond
 * milliseconds are cut, as no column keeps them.
 */
export function canonicalDatetime(text: string): string | null {
  return readDatetime(text)?.moment ?? null;
}

/** The same for what is compared with a column: three more digits follow where the text says more than milliseconds. */
export function comparedDatetime(text: string): string | null {
  const read = readDatetime(text);
  return read === null ? null : `${read.moment.slice(0, -1)}${microseconds(read.beyond)}Z`;
}

/** PostgreSQL rounds digits after these; between two milliseconds, which is all that columns hold, any moment compares alike. */
function microseconds(digits: string): string {
  if (!/[1-9]/.test(digits)) return "";
  const kept = digits.slice(0, 3).padEnd(3, "0");
  return kept === "000" ? "001" : kept;
}

/** The moment to the millisecond, and the digits after that. */
function readDatetime(text: string): { readonly moment: string; readonly beyond: string } | null {
  if (canonicalDate(text) !== null) return { moment: `${text}T00:00:00.000Z`, beyond: "" };
  const [, date = "", hour = "", minute = "", second = "00", fraction = "", zone = "Z"] =
    moment.exec(text) ?? [];
  if (canonicalDate(date) === null || hour > "23" || minute > "59" || second > "59") return null;
  const shift = offsetMinutes(zone);
  if (shift === null) return null;
  const utc = Date.parse(`${date}T${hour}:${minute}:${second}.${fraction.padEnd(3, "0").slice(0, 3)}Z`);
  const canonical = new Date(utc - shift * 60_000).toISOString();
  return /^(?!0000)\d{4}-/.test(canonical) ? { moment: canonical, beyond: fraction.slice(3) } : null;
}

function offsetMinutes(zone: string): number | null {
  if (zone === "Z") return 0;
  const [hours, minutes] = [Number(zone.slice(1, 3)), Number(zone.slice(-2))];
  if (hours > 15 || minutes > 59) return null;
  return (zone.startsWith("-") ? -1 : 1) * (hours * 60 + minutes);
}
