// @ts-check
/** The text for a missing figure. */
export const nothing = "–";

const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const compact = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });
const three = new Intl.NumberFormat("en", { maximumSignificantDigits: 3 });
const one = new Intl.NumberFormat("en", { minimumFractionDigits: 1, maximumFractionDigits: 1 });
const two = new Intl.NumberFormat("en", { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** `12,345`. @param {number} count */
export const countText = (count) => whole.format(count);

/** `12.3K`, for narrow places. @param {number} count */
export const compactText = (count) => (count < 10_000 ? whole : compact).format(count);

/** Per second: `0.0133`, `3.21`, `1,234`. @param {number} rate */
export const rateText = (rate) => (rate >= 1_000 ? whole : three).format(rate);

/** At most two digits after the point, so that figures in a column have a similar width. @param {number} figure */
const aligned = (figure) => (figure < 9.995 ? two : figure < 99.95 ? one : whole).format(figure);

/** A share of 0 to 1: `0.42%`, `49.4%`. @param {number} share */
export function percentText(share) {
  if (share === 0 || share === 1) return `${100 * share}%`;
  return share < 0.000_1 ? "<0.01%" : `${aligned(share * 100)}%`;
}

/** A difference of two shares, in percentage points: `0.42 pts`. @param {number} share */
export const pointsText = (share) => `${aligned(share * 100)} pts`;

/** `0.82 ms`, `312 ms`, `1.23 s`, `2.50 min`. @param {number | null} ms */
export function durationText(ms) {
  if (ms === null) return nothing;
  if (ms < 0.01) return ms === 0 ? "0 ms" : "<0.01 ms";
  if (ms < 999.5) return `${aligned(ms)} ms`;
  return ms < 59_950 ? `${aligned(ms / 1_000)} s` : `${aligned(ms / 60_000)} min`;
}

/** A round duration: `5 ms`, `2.5 s`. @param {number} ms */
export function roundDurationText(ms) {
  if (ms < 1_000) return `${three.format(ms)} ms`;
  return ms < 60_000 ? `${three.format(ms / 1_000)} s` : `${three.format(ms / 60_000)} min`;
}

/** `$0.0042`, `$12.30`. @param {number | null} dollars */
export function dollarText(dollars) {
  if (dollars === null) return nothing;
  if (dollars === 0) return "$0";
  if (dollars < 0.000_001) return "<$0.000001";
  return `$${(dollars < 0.1 ? three : two).format(dollars)}`;
}

const byteUnits = ["B", "kB", "MB", "GB", "TB"];

/** `1.5 MB`, of 1024 times 1024 bytes, as in the settings. @param {number} bytes */
export function bytesText(bytes) {
  const power = Math.max(
    0,
    byteUnits.findLastIndex((_, index) => bytes >= 1_024 ** index),
  );
  return `${three.format(bytes / 1_024 ** power)} ${byteUnits[power]}`;
}

/**
 * A difference with its sign: `+3`, `−2`, `±0`.
 *
 * @param {number} difference
 * @param {(size: number) => string} text
 */
export function signed(difference, text) {
  const size = text(Math.abs(difference));
  if (difference === 0 || size === text(0)) return `±${text(0)}`;
  return `${difference > 0 ? "+" : "−"}${size}`;
}

/** @type {Intl.DateTimeFormatOptions} */
const hourAndMinute = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
const clock = new Intl.DateTimeFormat("en", { ...hourAndMinute, second: "2-digit" });
const minute = new Intl.DateTimeFormat("en", hourAndMinute);
const day = new Intl.DateTimeFormat("en", { month: "short", day: "numeric" });
const zone = new Intl.DateTimeFormat("en", { timeZoneName: "short" });

/** In the time zone of the browser: `14:03:59`. @param {Date} at */
export const clockText = (at) => clock.format(at);

/** `14:03`. @param {Date} at */
export const minuteText = (at) => minute.format(at);

/** `Nov 23`. @param {Date} at */
export const dayText = (at) => day.format(at);

/**
 * The begin of a bucket, as exact as the bucket is wide.
 *
 * @param {Date} at
 * @param {number} bucketSeconds
 */
export function bucketText(at, bucketSeconds) {
  if (bucketSeconds < 60) return clockText(at);
  return bucketSeconds < 900 ? minuteText(at) : `${dayText(at)}, ${minuteText(at)}`;
}

/** Of ISO-8601: `14:03:59`, with the day if that is not today. @param {string} iso */
export function momentText(iso, now = new Date()) {
  const at = new Date(iso);
  return at.toDateString() === now.toDateString() ? clockText(at) : `${dayText(at)}, ${clockText(at)}`;
}

/** As `momentText`, with the time zone of the browser: `14:03:59 GMT+1`. @param {string} iso */
export function zonedText(iso) {
  const name = zone.formatToParts(new Date(iso)).find(({ type }) => type === "timeZoneName");
  return `${momentText(iso)} ${name?.value ?? ""}`.trim();
}

const units = /** @type {const} */ ({ d: 86_400, h: 3_600, min: 60, s: 1 });

/** The two largest units of a span: `3 d 4 h`, `5 min 12 s`. @param {number} seconds */
export function spanText(seconds) {
  let rest = Math.floor(seconds);
  const parts = Object.entries(units).map(([unit, size]) => {
    const count = Math.floor(rest / size);
    rest %= size;
    return { count, text: `${count} ${unit}` };
  });
  const first = parts.findIndex(({ count }) => count > 0);
  if (first === -1) return "0 s";
  const shown = parts.slice(first, first + 2).filter(({ count }) => count > 0);
  return shown.map(({ text }) => text).join(" ");
}
