import { latencyEdgesMs } from "../../records/latency-edges.ts";

/** One count more than there are edges. */
export function noCounts(): number[] {
  return Array.from({ length: latencyEdgesMs.length + 1 }, () => 0);
}

/** Which of the counts a duration belongs to. */
export function edgeOf(us: number): number {
  const index = latencyEdgesMs.findIndex((edge) => us <= edge * 1000);
  return index === -1 ? latencyEdgesMs.length : index;
}
