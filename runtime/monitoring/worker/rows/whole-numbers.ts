/** Duration in whole microseconds. */
export function wholeUs(ms: number): number {
  return ms > 0 ? Math.round(ms * 1000) : 0;
}

/** Moment in whole milliseconds. */
export function wholeMs(at: number): number {
  return Math.floor(at);
}
