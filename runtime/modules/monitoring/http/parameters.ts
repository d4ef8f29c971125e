import { monitoringNumbers, type NumberBounds } from "../../../../vocabulary/monitoring.ts";
import { invalid, type Problem, ServiceError } from "../../../core/errors/index.ts";

/** A query parameter: its parser and its default. */
interface Parameter<Value> {
  readonly fallback: Value;
  /** Returns undefined for an invalid value. */
  readonly read: (sent: string) => Value | undefined;
  /** The rule in the error message. */
  readonly rule: string;
}

/** The parameters of a route, by name. */
export type Parameters = Readonly<Record<string, Parameter<unknown>>>;

export type Values<Known extends Parameters> = {
  readonly [Name in keyof Known]: Known[Name] extends Parameter<infer Value> ? Value : never;
};

/** A whole number within bounds. */
export function wholeNumber({ min, max, fallback, capped = false }: NumberBounds): Parameter<number> {
  return {
    fallback,
    rule: capped
      ? `must be a whole number of at least ${min}`
      : `must be a whole number from ${min} to ${max}`,
    read(sent) {
      const value = /^\d+$/.test(sent) ? Number(sent) : Number.NaN;
      return value >= min && (capped || value <= max) ? Math.min(value, max) : undefined;
    },
  };
}

/** One of a few words; null if it is missing. */
export function oneOf<Word extends string>(...words: readonly Word[]): Parameter<Word | null> {
  return {
    fallback: null,
    rule: `must be one of ${words.join(", ")}`,
    read: (sent) => words.find((word) => word === sent),
  };
}

/** Any string; null if it is missing. */
export const anyText: Parameter<string | null> = { fallback: null, rule: "", read: (sent) => sent };

/** Parses a route's parameters. Adds unknown and invalid ones to `problems`. */
export function parseParameters<Known extends Parameters>(
  known: Known,
  sent: ReadonlyMap<string, string>,
  problems: Problem[],
): Values<Known>;
export function parseParameters(
  known: Parameters,
  sent: ReadonlyMap<string, string>,
  problems: Problem[],
): Readonly<Record<string, unknown>> {
  for (const field of sent.keys())
    if (!Object.hasOwn(known, field)) problems.push({ field, message: "is not a parameter of this route" });
  const values = Object.entries(known).map(([name, { fallback, read, rule }]) => {
    const text = sent.get(name);
    // `readQueryString` has already reported an empty value.
    if (text === undefined || text === "") return [name, fallback];
    const value = read(text);
    if (value === undefined) problems.push({ field: name, message: rule });
    return [name, value];
  });
  return Object.fromEntries(values);
}

/** Time window of a request (docs/monitoring.md#routes). */
export const timeWindow = {
  window_seconds: wholeNumber(monitoringNumbers.window_seconds),
};

/** A time window with a bucket size. */
export const timeBuckets = {
  ...timeWindow,
  bucket_seconds: wholeNumber(monitoringNumbers.bucket_seconds),
};

/** 422 `VALIDATION_ERROR` for malformed parameters and bodies (docs/monitoring.md#routes). */
export function validationError(message: string, details: Readonly<Record<string, unknown>>): ServiceError {
  return new ServiceError("VALIDATION_ERROR", message, details, { status: 422 });
}

/** Throws a 422 if there are problems. */
export function refuseParameters([first, ...rest]: readonly Problem[]): void {
  if (first === undefined) return;
  const { message, details = {} } = invalid([first, ...rest]);
  throw validationError(message, details);
}
