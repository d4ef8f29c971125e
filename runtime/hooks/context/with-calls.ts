import type { Awaitable } from "../../core/concurrency/index.ts";
import { CodeCalls } from "./code-calls.ts";

/** Runs code that may call the database. Errors: also where it leaves a call behind, which must not reach into what comes after it. */
export async function withCalls<Result>(
  name: string,
  code: (calls: CodeCalls) => Awaitable<Result>,
): Promise<Result> {
  const calls = new CodeCalls();
  try {
    const result = await code(calls);
    if (!(await calls.end())) throw leftBehind(name);
    return result;
  } catch (error) {
    await calls.end();
    throw error;
  }
}

function leftBehind(name: string): Error {
  return new Error(
    `${name} left a call of its context behind: await each call of db, sql, jobs, mail and sms`,
  );
}
