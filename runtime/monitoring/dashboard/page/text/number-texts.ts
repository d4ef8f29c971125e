/** Stands where there is no figure. */
export const nothing = "–";

const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const compact = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });
const three = new Intl.NumberFormat("en", { maximumSignificantDigits: 3 });
const one = new Intl.NumberFormat("en", { minimumFractionDigits: 1, maximumFractionDigits: 1 });
const two = new Intl.NumberFormat("en", { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** `12,345`. */
export function countText(count: number): string {
  return whole.format(count);
}

/** `12.3K`, where there is little room. */
export function compactText(count: number): string {
  return count < 10_000 ? whole.format(count) : compact.format(count);
}

/** Of so many a second: `0.0133`, `3.21`, `1,234`. */
export function rateText(rate: number): string {
  return rate >= 1_000 ? whole.format(rate) : three.format(rate);
}

/** Figures that stand below each other: as many digits after the point as there is room for before it. */
function lined(figure: number): string {
  return (figure < 9.995 ? two : figure < 99.95 ? one : whole).format(figure);
}

/** A share of 0 to 1: `0.42%`, `49.4%`. */
export function percentText(share: number): string {
  if (share === 0 || share === 1) return `${100 * share}%`;
  return share < 0.000_1 ? "<0.01%" : `${lined(share * 100)}%`;
}

/** A difference of shares, in points of percent: `0.42 pts`. */
export function pointsText(share: number): string {
  return `${lined(share * 100)} pts`;
}

/** `0.82 ms`, `312 ms`, `1.23 s`, `2.50 min`. */
export function durationText(ms: number | null): string {
  if (ms === null) return nothing;
  if (ms < 0.01) return ms === 0 ? "0 ms" : "<0.01 ms";
  if (ms < 999.5) return `${lined(ms)} ms`;
  return ms < 59_950 ? `${lined(ms / 1_000)} s` : `${lined(ms / 60_000)} min`;
}

/** The same of a round figure: `5 ms`, `2.5 s`. */
export function roundDurationText(ms: number): string {
  if (ms < 1_000) return `${three.format(ms)} ms`;
  return ms < 60_000 ? `${three.format(ms / 1_000)} s` : `${three.format(ms / 60_000)} min`;
}

/** `$0.0042`, `$12.30`. */
export function dollarText(dollars: number | null): string {
  if (dollars === null) return nothing;
  if (dollars === 0) return "$0";
  if (dollars < 0.000_001) return "<$0.000001";
  return `$${(dollars < 0.1 ? three : two).format(dollars)}`;
}

const byteUnits = ["B", "kB", "MB", "GB", "TB"] as const;

/** `1.5 MB`, of 1024 times 1024 bytes, as the settings have it. */
export function bytesText(bytes: number): string {
  const power = byteUnits.findLastIndex((_, index) => bytes >= 1_024 ** index);
  const at = Math.max(0, power);
  return `${three.format(bytes / 1_024 ** at)} ${byteUnits[at]}`;
}

/** A difference with its sign: `+3`, `−2`, `±0`. */
export function signed(difference: number, text: (size: number) => string): string {
  const size = text(Math.abs(difference));
  if (difference === 0 || size === text(0)) return `±${text(0)}`;
  return `${difference > 0 ? "+" : "−"}${size}`;
}
