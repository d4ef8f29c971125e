/** The day on which the seeded shop stands still. Fixed, so that two runs give the same rows. */
export const today = Date.UTC(2025, 11, 31, 17, 30);

export const hour = 3_600_000;
export const day = 24 * hour;

/** `2025-12-31T17:30:00.000Z` */
export function timestamp(time: number): string {
  return new Date(time).toISOString();
}

/** `2025-12-31` */
export function date(time: number): string {
  return timestamp(time).slice(0, 10);
}
