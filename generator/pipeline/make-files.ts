import { check } from "../compile/check.ts";
import type { CheckedFiles } from "../compile/checked-files.ts";
import type { ServiceDefinition } from "../definition/definition.ts";
import { emit } from "../emit/emit.ts";
import { finish } from "../format/finish.ts";
import { type Changes, changesTo } from "../output/file-changes.ts";
import { migrationPath } from "../output/output-paths.ts";
import type { Loaded } from "./loaded.ts";
import type { GenerateOptions } from "./options.ts";
import type { Planned } from "./plan-changes.ts";
import type { Former } from "./read-former.ts";
import { Stop } from "./stop.ts";

/** The files that a run would leave, before it touches the disk. */
export interface MadeFiles {
  /** All texts by their paths in the output folder. */
  readonly texts: ReadonlyMap<string, string>;
  readonly changes: Changes;
  /** What to remember of the compile check; null where it was left out. */
  readonly checked: CheckedFiles | null;
}

/** Emits, formats and compiles. Stops at an error in a hook file. */
export async function makeFiles(
  { definition, modelsChecksum, plan, folder, history }: Loaded & Former & Planned,
  options: GenerateOptions,
): Promise<MadeFiles> {
  const emitted = emit(definition, plan, options.out);
  const kept = history.names.map(migrationPath);
  const discarded = history.rebased?.removed.map(migrationPath) ?? [];
  // The formatter works in a process of its own, while the compiler looks at the same texts.
  const formatting = finish(emitted, { kept, models: modelsChecksum }, folder, options.root);
  const [texts, result] = await Promise.all([
    formatting,
    options.compile ? check({ ...options, hooks: runHooks(definition) }, emitted, folder) : null,
  ]);
  if (result !== null && result.diagnostics.length > 0) throw new Stop(2, result);
  return { texts, changes: changesTo(folder, texts, discarded), checked: result?.checked ?? null };
}

/** The hook files that run: those of internal models do not, but for the accounts, which have routes of another kind. */
function runHooks({ models, graphqlHooks }: ServiceDefinition): Set<string> {
  const run = models.filter(({ internal, builtIn }) => !internal || builtIn === "extensible");
  return new Set([...run.map(({ hooks }) => hooks), graphqlHooks].flatMap((hooks) => hooks?.file ?? []));
}
