import type { ServiceDefinition } from "../definition/definition.ts";
import type { Sources } from "../diagnostics/index.ts";

/** What the files say. Each stage reads what those before it know, and adds its part. */
export interface Loaded {
  readonly definition: ServiceDefinition;
  readonly sources: Sources;
  /** Of what the models say, for the lock. */
  readonly modelsChecksum: string;
  /** Reasons of acknowledged access by its name. */
  readonly acknowledged: ReadonlyMap<string, string>;
}
