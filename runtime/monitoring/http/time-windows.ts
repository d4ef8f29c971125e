import { wholeNumber } from "./monitoring-parameters.ts";

/** 30 days. */
export const longestWindowSeconds = 2_592_000;

/** Most buckets of one answer. */
export const mostBuckets = 1_500;

/** Parameters that say which span of time is asked for (decisions, part 11). */
export const timeWindow = {
  window_seconds: wholeNumber({ min: 1, max: longestWindowSeconds, fallback: 3_600 }),
};

/** The same, in buckets. */
export const timeBuckets = {
  ...timeWindow,
  bucket_seconds: wholeNumber({ min: 1, max: 86_400, fallback: 60 }),
};
