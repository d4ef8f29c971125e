const clock = new Intl.DateTimeFormat("en", {
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  hourCycle: "h23",
});
const minute = new Intl.DateTimeFormat("en", { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
const day = new Intl.DateTimeFormat("en", { month: "short", day: "numeric" });

/** The time of the browser's zone: `14:03:59`. */
export function clockText(at: Date): string {
  return clock.format(at);
}

/** `14:03`. */
export function minuteText(at: Date): string {
  return minute.format(at);
}

/** `Nov 23`. */
export function dayText(at: Date): string {
  return day.format(at);
}

/** The begin of a bucket of so many seconds, as exact as those who read it need it. */
export function bucketText(at: Date, bucketSeconds: number): string {
  if (bucketSeconds < 60) return clockText(at);
  return bucketSeconds < 900 ? minuteText(at) : `${dayText(at)}, ${minuteText(at)}`;
}

/** Of ISO-8601: `14:03:59`, and the day where it is not today. */
export function momentText(iso: string, now: Date): string {
  const at = new Date(iso);
  return at.toDateString() === now.toDateString() ? clockText(at) : `${dayText(at)}, ${clockText(at)}`;
}

const zone = new Intl.DateTimeFormat("en", { timeZoneName: "short" });

/** The same with the browser's zone: `14:03:59 GMT+1`. */
export function zonedText(iso: string, now: Date): string {
  const name = zone.formatToParts(new Date(iso)).find(({ type }) => type === "timeZoneName");
  return `${momentText(iso, now)} ${name?.value ?? ""}`.trim();
}

const units = [
  ["d", 86_400],
  ["h", 3_600],
  ["min", 60],
  ["s", 1],
] as const;

/** The two largest units of a span: `3 d 4 h`, `5 min 12 s`. */
export function spanText(seconds: number): string {
  const first = units.findIndex(([, size]) => seconds >= size);
  const parts = units.slice(Math.max(first, 0), Math.max(first, 0) + 2).map(([unit, size], index, shown) => {
    const above = index === 0 ? Number.POSITIVE_INFINITY : (shown[index - 1]?.[1] ?? 1);
    return [Math.floor((seconds % above) / size), unit] as const;
  });
  const said = parts.filter(([count], index) => count > 0 || index === 0);
  return first === -1 ? "0 s" : said.map(([count, unit]) => `${count} ${unit}`).join(" ");
}
