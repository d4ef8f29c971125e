/** Where the buckets of a window begin, in milliseconds: at whole multiples of their length, the last one holds `now`. */
export function bucketBegins(now: number, windowSeconds: number, bucketSeconds: number): readonly number[] {
  const bucket = bucketSeconds * 1000;
  const begins: number[] = [];
  for (let begin = now - (now % bucket); begins.length * bucketSeconds < windowSeconds; begin -= bucket)
    begins.unshift(begin);
  return begins;
}
