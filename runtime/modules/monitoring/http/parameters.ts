import { invalid, type Problem, ServiceError } from "../../../core/errors/index.ts";

/** A query parameter: how its text is read, and what holds where it was not sent. */
interface Parameter<Value> {
  readonly fallback: Value;
  /** Undefined where the text is none of its values. */
  readonly read: (sent: string) => Value | undefined;
  /** What it must be. */
  readonly rule: string;
}

/** The parameters of a route, by name. */
export type Parameters = Readonly<Record<string, Parameter<unknown>>>;

/** Their values. */
export type Values<Known extends Parameters> = {
  readonly [Name in keyof Known]: Known[Name] extends Parameter<infer Value> ? Value : never;
};

interface Bounds {
  readonly min: number;
  readonly max: number;
  readonly fallback: number;
  /** What is more is taken as the largest. */
  readonly capped?: boolean;
}

/** A whole number within bounds. */
export function wholeNumber({ min, max, fallback, capped = false }: Bounds): Parameter<number> {
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

/** One of a few words; null where none was sent. */
export function oneOf<Word extends string>(...words: readonly Word[]): Parameter<Word | null> {
  return {
    fallback: null,
    rule: `must be one of ${words.join(", ")}`,
    read: (sent) => words.find((word) => word === sent),
  };
}

/** Any text; null where none was sent. */
export const anyText: Parameter<string | null> = { fallback: null, rule: "", read: (sent) => sent };

/** Reads the parameters of a route. What is unknown, or none of their values, goes to `problems`. */
export function readValues<Known extends Parameters>(
  known: Known,
  sent: ReadonlyMap<string, string>,
  problems: Problem[],
): Values<Known>;
export function readValues(
  known: Parameters,
  sent: ReadonlyMap<string, string>,
  problems: Problem[],
): Readonly<Record<string, unknown>> {
  for (const field of sent.keys())
    if (!Object.hasOwn(known, field)) problems.push({ field, message: "is not a parameter of this route" });
  const values = Object.entries(known).map(([name, { fallback, read, rule }]) => {
    const text = sent.get(name);
    // That it is empty has been noticed already.
    if (text === undefined || text === "") return [name, fallback];
    const value = read(text);
    if (value === undefined) problems.push({ field: name, message: rule });
    return [name, value];
  });
  return Object.fromEntries(values);
}

/** 30 days. */
export const longestWindowSeconds = 2_592_000;

/** Most buckets of one answer. */
export const mostBuckets = 1_500;

/** Parameters that say which span of time is asked for (docs/monitoring.md#routes). */
export const timeWindow = {
  window_seconds: wholeNumber({ min: 1, max: longestWindowSeconds, fallback: 3_600 }),
};

/** The same, in buckets. */
export const timeBuckets = {
  ...timeWindow,
  bucket_seconds: wholeNumber({ min: 1, max: 86_400, fallback: 60 }),
};

/** 422 `VALIDATION_ERROR`: what the monitoring routes say of parameters and bodies that are not well formed (docs/monitoring.md#routes). */
export function unprocessable(message: string, details: Readonly<Record<string, unknown>>): ServiceError {
  return new ServiceError("VALIDATION_ERROR", message, details, { status: 422 });
}

/** Throws a 422 when there are problems with parameters. */
export function refuseParameters([first, ...rest]: readonly Problem[]): void {
  if (first === undefined) return;
  const { message, details = {} } = invalid([first, ...rest]);
  throw unprocessable(message, details);
}
