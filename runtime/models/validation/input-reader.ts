import {
  isStandardSchema,
  type StandardResult,
  type StandardSchema,
} from "../../../vocabulary/standard-schema.ts";
import type { Problem } from "../../core/errors/index.ts";
import { compileCodeSchema } from "./app-schema.ts";

/** What a schema says of a value. Without problems, `value` is for the app's code: some libraries convert it. */
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

function standardReading(schema: StandardSchema, value: unknown): InputReading | Promise<InputReading> {
  const result = schema["~standard"].validate(value);
  return result instanceof Promise ? result.then(readingOf) : readingOf(result);
}

function readingOf(result: StandardResult): InputReading {
  if (result.issues === undefined) return { problems: [], value: result.value };
  const problems = result.issues.map(({ message, path = [] }) => ({
    field: path.map((part) => String(typeof part === "object" ? part.key : part)).join("."),
    message,
  }));
  return { problems, value: undefined };
}
