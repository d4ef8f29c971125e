import type { ServiceDefinition } from "../definition/definition.ts";
import type { Diagnostic, Sources } from "../diagnostics/index.ts";

/** Where the inputs are. `models` and `manifest` are paths, relative to `root` or absolute; so is `root`, to the process. */
export interface LoadOptions {
  readonly models: string;
  readonly manifest: string;
  readonly root: string;
}

export interface LoadResult {
  /** Sorted by file and position. */
  readonly diagnostics: readonly Diagnostic[];
  /** Null when there is an error; warnings leave it. */
  readonly definition: ServiceDefinition | null;
  /** The files read, relative to `root`, for `--watch`. Those that are missing but wanted are among them. */
  readonly inputs: readonly string[];
  /** The texts read, for `renderDiagnostics`. */
  readonly sources: Sources;
}

/** Reads, checks and resolves the models and the manifest. Never throws for bad input. */
export async function loadService(options: LoadOptions): Promise<LoadResult> {
  return {
    diagnostics: [],
    definition: null,
    inputs: [options.models, options.manifest],
    sources: new Map(),
  };
}
