const datePattern = /^(\d{4})-(\d{2})-(\d{2})$/;
const datetimePattern =
  /^(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d+))?)?(Z|([+-])(\d{2})(?::?(\d{2}))?)?)?$/;

const firstInstant = Date.parse("0001-01-01T00:00:00.000Z");
const lastInstant = Date.parse("9999-12-31T23:59:59.999Z");

/** Returns the text if it is an existing date `YYYY-MM-DD`, in the years 0001 to 9999; otherwise null. */
export function parseDate(text: string): string | null {
  const match = datePattern.exec(text);
  if (match === null) return null;
  const [, year, month, day] = match.map(Number);
  return dayStart(year, month, day) === null ? null : text;
}

/**
 * An ISO-8601 date or datetime as `YYYY-MM-DDTHH:mm:ss.sssZ`. Without an offset it is UTC; a date is midnight. Digits
 * after milliseconds are dropped, because columns do not store them. Null for other text.
 */
export function parseDatetime(text: string): string | null {
  return readDatetime(text)?.instant ?? null;
}

/**
 * Like `parseDatetime`, for a value that is compared with a column. If the text is more precise than
 * milliseconds, three more digits follow.
 */
export function parseComparedDatetime(text: string): string | null {
  const read = readDatetime(text);
  return read === null ? null : `${read.instant.slice(0, -1)}${microseconds(read.beyond)}Z`;
}

/**
 * The three digits after milliseconds, or "". Columns hold only milliseconds, so all times between two
 * milliseconds compare in the same way. Digits below a microsecond become one microsecond, because PostgreSQL
 * could round them down to a millisecond.
 */
function microseconds(digits: string): string {
  if (!/[1-9]/.test(digits)) return "";
  const kept = digits.slice(0, 3).padEnd(3, "0");
  return kept === "000" ? "001" : kept;
}

/** The instant to the millisecond, and the digits after that. */
function readDatetime(text: string): { readonly instant: string; readonly beyond: string } | null {
  const match = datetimePattern.exec(text);
  if (match === null) return null;
  const [, year, month, day, hour = 0, minute = 0, second = 0] = match.map((part) =>
    part === undefined ? 0 : Number(part),
  );
  const start = dayStart(year, month, day);
  if (start === null || hour > 23 || minute > 59 || second > 59) return null;
  const offset = offsetMinutes(match);
  if (offset === null) return null;
  const fraction = match[7] ?? "";
  const milliseconds = Number(fraction.slice(0, 3).padEnd(3, "0"));
  const instant = start + ((hour * 60 + minute - offset) * 60 + second) * 1000 + milliseconds;
  if (instant < firstInstant || instant > lastInstant) return null;
  return { instant: new Date(instant).toISOString(), beyond: fraction.slice(3) };
}

function offsetMinutes(match: RegExpExecArray): number | null {
  const [sign, hours, minutes] = [match[9], Number(match[10] ?? 0), Number(match[11] ?? 0)];
  if (hours > 23 || minutes > 59) return null;
  return (sign === "-" ? -1 : 1) * (hours * 60 + minutes);
}

/** Midnight UTC in milliseconds, or null if the day does not exist. */
function dayStart(year = 0, month = 0, day = 0): number | null {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  const exists = year >= 1 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return exists ? date.getTime() : null;
}

/** PostgreSQL's `2026-01-02 03:04:05.6+00` as `2026-01-02T03:04:05.600Z`, with so many decimals. */
export function isoText(stored: string, digits = 3): string {
  if (!stored.endsWith("+00")) return inUtc(stored);
  const zone = stored.length - 3;
  const fraction = (zone > 20 ? stored.slice(20, Math.min(zone, 20 + digits)) : "").padEnd(digits, "0");
  return `${stored.slice(0, 10)}T${stored.slice(11, 19)}.${fraction}Z`;
}

/** Like `isoText`, for output in another time zone, which a hook can set for its transaction. */
function inUtc(stored: string): string {
  const parts = /^(\S+) ([\d:.]+)([+-])(\d\d)(?::(\d\d))?(?::(\d\d))?$/.exec(stored);
  if (parts === null) throw new RangeError(`${stored} is not a time with a zone`);
  const [, day, time, sign, hours, minutes = 0, seconds = 0] = parts;
  const offset = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds);
  return new Date(Date.parse(`${day}T${time}Z`) - Number(`${sign}1`) * offset * 1000).toISOString();
}

const timePattern = /^([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:\.(\d{1,6}))?)?$/;

/** A time of day as `HH:mm:ss.sss`. Seconds are optional, with at most so many decimals. Null for other text. */
export function parseTime(text: string, digits: 3 | 6 = 3): string | null {
  const [whole, hour, minute, second = "00", fraction = ""] = timePattern.exec(text) ?? [];
  if (whole === undefined || fraction.length > digits) return null;
  return `${hour}:${minute}:${second}.${fraction.padEnd(3, "0")}`;
}

/** PostgreSQL's `12:30:00.5` as `12:30:00.500`, with so many decimals. */
export function timeText(stored: string, digits = 3): string {
  return `${stored.slice(0, 8)}.${stored.slice(9, 9 + digits).padEnd(digits, "0")}`;
}
