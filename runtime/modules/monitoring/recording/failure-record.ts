import { mask } from "../../../core/masking/index.ts";
import type { FailureRecord } from "../records/monitoring-records.ts";

/** Limit of the cause chain, including the first error of an `AggregateError`. */
const mostErrors = 8;
const longestMessage = 2_048;
const longestStack = 8_192;
/** Text is masked before the cut, because the mask does not recognise half a token. */
const maskFactor = 4;

/** An error with its causes. The thrown value is untrusted: its getters can throw. */
export function failureRecord(thrown: unknown): FailureRecord {
  const errors = chainOf(thrown);
  const stacks = errors.flatMap((error) => stackOf(error) ?? []);
  return {
    message: bounded(errors.map(messageOf).join(": "), longestMessage),
    stack: stacks.length === 0 ? null : bounded(stacks.join("\ncaused by: "), longestStack),
  };
}

function bounded(text: string, longest: number): string {
  if (text.length <= longest) return text;
  return mask(wholeWords(text, longest * maskFactor)).slice(0, longest);
}

/** Cuts at a word boundary: half a token could escape the mask. */
function wholeWords(text: string, longest: number): string {
  if (text.length <= longest) return text;
  let end = longest;
  while (end > 0 && !/\s/.test(text[end - 1] ?? "")) end--;
  return text.slice(0, end === 0 ? longest : end);
}

/** The error and its causes, outermost first. */
function chainOf(thrown: unknown): readonly unknown[] {
  const chain: unknown[] = [];
  const waiting = [thrown];
  while (chain.length < mostErrors) {
    const next = waiting.shift();
    if (next === undefined) break;
    if (chain.includes(next)) continue;
    chain.push(next);
    waiting.push(...attempt(() => causesOf(next), []));
  }
  return chain;
}

function causesOf(error: unknown): readonly unknown[] {
  if (!(error instanceof Error)) return [];
  const several: readonly unknown[] =
    error instanceof AggregateError ? error.errors.slice(0, mostErrors) : [];
  return [...several, error.cause].filter((cause) => cause !== undefined && cause !== null);
}

function messageOf(error: unknown): string {
  return attempt(() => {
    const message = error instanceof Error ? error.message || error.name : error;
    return typeof message === "object" ? "an object was thrown" : String(message);
  }, "the thrown value cannot be read");
}

function stackOf(error: unknown): string | null {
  return attempt(() => {
    const stack: unknown = error instanceof Error ? error.stack : null;
    return typeof stack === "string" ? stack : null;
  }, null);
}

function attempt<Value>(read: () => Value, otherwise: Value): Value {
  try {
    return read();
  } catch {
    return otherwise;
  }
}
