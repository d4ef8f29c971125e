import { didYouMean } from "../diagnostics/index.ts";
import type { CheckContext } from "./context.ts";
import { reservedKeys } from "./internal-tables.ts";

/** Hook files that belong to no model (decisions, part 1). */
export function checkHooks({ models, hooks, report }: CheckContext): void {
  const keys = models.map((model) => model.key);
  for (const [name, file] of hooks) {
    if (keys.includes(name) || reservedKeys.has(name)) continue;
    const hint = didYouMean(name, keys) ?? "files that hooks share belong beside the folder, not in it";
    report(
      "orphan-hook",
      { file, offset: 0, length: 1 },
      `there is no model "${name}" for this hook file`,
      hint,
    );
  }
}
