import { getHeapSpaceStatistics } from "node:v8";

/** How much V8 has set aside for new objects, in MB. */
export function youngMegabytes(): number {
  const young = getHeapSpaceStatistics().find(({ space_name: name }) => name === "new_space");
  return (young?.space_size ?? 0) / 2 ** 20;
}

/** Makes some 30 MB of objects that live on, as a process does that loads much. */
export function keepLiving(): void {
  const living: object[] = [];
  for (let n = 0; n < 400_000; n++) living.push({ n, text: [n] });
  if (living.length === 0) throw new Error("nothing lives");
}
