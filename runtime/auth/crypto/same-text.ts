import { timingSafeEqual } from "node:crypto";

/** Whether two texts are one. How long it takes tells nothing of where they differ. */
export function isSameText(expected: string, given: string): boolean {
  const [one, other] = [Buffer.from(expected), Buffer.from(given)];
  return one.length === other.length && timingSafeEqual(one, other);
}
