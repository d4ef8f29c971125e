import { Session } from "node:inspector/promises";
import { fileURLToPath } from "node:url";

/** Time of one function by itself, in microseconds. */
export interface ProfiledFunction {
  readonly name: string;
  /** Empty for what belongs to V8, such as the garbage collector. */
  readonly file: string;
  readonly selfTime: number;
}

const session = new Session();

/** Begins to look at what this process does, each tenth of a millisecond. */
export async function beginProfile(): Promise<void> {
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.setSamplingInterval", { interval: 100 });
  await session.post("Profiler.start");
}

/** What it has done since then, the longest first. Waiting is not in it. */
export async function endProfile(): Promise<ProfiledFunction[]> {
  const { profile } = await session.post("Profiler.stop");
  session.disconnect();
  const { nodes, samples = [], timeDeltas = [] } = profile;
  const places = new Map(
    nodes.map(({ id, callFrame: { functionName, url } }) => [id, { functionName, url }]),
  );
  const functions = new Map<string, ProfiledFunction>();
  for (const [index, node] of samples.entries()) {
    const { functionName, url } = places.get(node) ?? { functionName: "", url: "" };
    if (functionName === "(idle)" || functionName === "(root)") continue;
    const file = url.startsWith("file:") ? fileURLToPath(url) : url;
    const key = `${functionName} ${file}`;
    const selfTime = (functions.get(key)?.selfTime ?? 0) + (timeDeltas[index] ?? 0);
    functions.set(key, { name: functionName === "" ? "(anonymous)" : functionName, file, selfTime });
  }
  return [...functions.values()].sort((a, b) => b.selfTime - a.selfTime);
}
