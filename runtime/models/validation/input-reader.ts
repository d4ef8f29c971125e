import {
  isStandardSchema,
  type StandardResult,
  type StandardSchema,
} from "../../../vocabulary/standard-schema.ts";
import type { Problem } from "../../core/errors/index.ts";
import { compileCodeSchema } from "./app-schema.ts";

/** The result of a check. Without problems, `value` is for the app's code: a schema of a library can convert it. */
interface InputReading {
  readonly problems: readonly Problem[];
  readonly value: unknown;
}

/** Only schemas of libraries can be asynchronous. */
export type InputReader = (value: unknown) => InputReading | Promise<InputReading>;

/** The reader of a JSON Schema, or of a schema of a library. Throws an Error if a JSON Schema is invalid. */
export function inputReader(schema: object): InputReader {
  if (isStandardSchema(schema)) return (value) => standardReading(schema, value);
  const check = compileCodeSchema(schema);
  return (value) => ({ problems: check(value), value });
}

/** Zod's `validate` runs asynchronous checks twice, and nothing handles the errors of the first run. */
async function standardReading(schema: StandardSchema & OfZod, value: unknown): Promise<InputReading> {
  if (schema["~standard"].vendor !== "zod" || schema.safeParseAsync === undefined)
    return readingOf(await schema["~standard"].validate(value));
  const { data, error } = await schema.safeParseAsync(value);
  return readingOf(error ?? { value: data });
}

interface OfZod {
  safeParseAsync?(value: unknown): Promise<{ readonly data?: unknown; readonly error?: StandardResult }>;
}

function readingOf(result: StandardResult): InputReading {
  if (result.issues === undefined) return { problems: [], value: result.value };
  const issues = result.issues.length > 0 ? result.issues : [{ message: "is not valid" }];
  const problems = issues.map(({ message, path = [] }) => ({
    field: path.map((part) => String(typeof part === "object" ? part.key : part)).join("."),
    message,
  }));
  return { problems, value: undefined };
}
