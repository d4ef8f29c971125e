import type { Job, JobContext, JobOptions, ObjectSchema, SchemaType } from "../context/index.ts";

/** What `defineJob` is told. */
interface JobDefinition<Schema extends ObjectSchema> extends JobOptions {
  /** A JSON Schema, written here: it types the payload. */
  readonly payload: Schema;
  /** May be async. To the compiler it returns nothing, so that a job can send jobs of its own name: it need not read the body first. */
  readonly run: (payload: NoInfer<SchemaType<Schema>>, context: JobContext) => void;
}

/** Declares the job of a file of `models/jobs/`, as its default export (decisions, part 13). */
export function defineJob<const Schema extends ObjectSchema>(
  definition: JobDefinition<Schema>,
): Job<SchemaType<Schema>> {
  return definition;
}
