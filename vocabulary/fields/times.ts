const timePattern = /^([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:\.(\d{1,3}))?)?$/;

/** A time of day as `HH:mm:ss.sss`, taken without seconds and with at most three digits after them; null for anything else (decisions, part 4). */
export function parseTime(text: string): string | null {
  const [whole, hour, minute, second = "00", fraction = ""] = timePattern.exec(text) ?? [];
  return whole === undefined ? null : `${hour}:${minute}:${second}.${fraction.padEnd(3, "0")}`;
}

/** `12:30:00.5`, as PostgreSQL prints it, as `12:30:00.500`. A foreign column may hold more digits. */
export function timeText(stored: string): string {
  return `${stored.slice(0, 8)}.${stored.slice(9, 12).padEnd(3, "0")}`;
}
