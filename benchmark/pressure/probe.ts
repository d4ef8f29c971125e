import { setTimeout as pause } from "node:timers/promises";
import { median } from "../measure.ts";
import { Connection } from "./connection.ts";

const pauseMs = 20;
/** A request takes its usual time again where so many do, one after the other. */
const inARow = 5;
const longestRecoveryMs = 30_000;

/** Asks `/healthz` again and again until it is told to end. Gives what it took each time, in milliseconds. */
export async function watchHealth(port: number): Promise<() => Promise<number[]>> {
  const connection = await Connection.open(port);
  const times: number[] = [];
  let isOver = false;
  const watching = (async () => {
    while (!isOver) {
      const { reply, ms } = await connection.ask("/healthz", null);
      if (reply?.status !== 200) throw new Error(`/healthz: ${reply?.text ?? "the connection was lost"}`);
      times.push(ms);
      await pause(pauseMs);
    }
    connection.close();
    return times;
  })();
  watching.catch(() => {});
  return () => {
    isOver = true;
    return watching;
  };
}

/** What one request takes where there are no others, in milliseconds. */
export async function usualTime(port: number, path: string, token: string): Promise<number> {
  const connection = await Connection.open(port);
  const times: number[] = [];
  for (let n = 0; n < 50; n++) times.push((await connection.ask(path, token)).ms);
  connection.close();
  return median(times);
}

/** How long it takes until requests take no more than twice their usual time again, in milliseconds. */
export async function recoveryTime(
  port: number,
  path: string,
  token: string,
  usualMs: number,
): Promise<number> {
  const since = performance.now();
  const connection = await Connection.open(port);
  let first = since;
  for (let n = 0; n < inARow; ) {
    const begun = performance.now();
    if (begun - since > longestRecoveryMs) throw new Error("the service does not recover");
    const { reply, ms } = await connection.ask(path, token);
    const isUsual = reply?.status === 200 && ms <= 2 * usualMs + 1;
    if (n === 0) first = begun;
    n = isUsual ? n + 1 : 0;
  }
  connection.close();
  return first - since;
}
