/** A window of time that can be looked at. */
export interface TimeSpan {
  /** As addresses of endpoints have it. */
  readonly seconds: number;
  readonly name: string;
  /** The window before it, in words. */
  readonly before: string;
  readonly bucketSeconds: number;
  /** How often its figures are read anew: a wide window costs more, and changes less. */
  readonly refreshMs: number;
}

/** Windows in the order in which they are offered. */
export const timeSpans: readonly TimeSpan[] = [
  { seconds: 300, name: "5 min", before: "5 minutes before", bucketSeconds: 5, refreshMs: 5_000 },
  { seconds: 3_600, name: "1 h", before: "hour before", bucketSeconds: 60, refreshMs: 5_000 },
  { seconds: 21_600, name: "6 h", before: "6 hours before", bucketSeconds: 300, refreshMs: 15_000 },
  { seconds: 86_400, name: "24 h", before: "day before", bucketSeconds: 900, refreshMs: 30_000 },
  { seconds: 604_800, name: "7 d", before: "week before", bucketSeconds: 7_200, refreshMs: 60_000 },
];

/** The one of so many seconds; else the hour. */
export function timeSpanOf(seconds: number): TimeSpan {
  const found = timeSpans.find((span) => span.seconds === seconds) ?? timeSpans[1];
  if (found === undefined) throw new Error("there are no windows");
  return found;
}
