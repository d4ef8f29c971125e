import { didYouMean } from "../../vocabulary/nearest.ts";
import { usersKey } from "../load/built-in-users.ts";
import type { RawModel } from "../load/raw.ts";
import { reservedKeys } from "../load/reserved-keys.ts";
import type { CheckContext } from "./check-context.ts";

interface Orphan {
  readonly message: string;
  readonly hint: string | null;
}

/** Hook files that nothing runs (decisions, part 1). */
export function checkHooks({ models, hooks, strayHooks, report }: CheckContext): void {
  const note = (file: string, { message, hint }: Orphan) =>
    report("orphan-hook", { file, offset: 0, length: 1 }, message, hint);
  for (const [name, file] of hooks) {
    const problem = orphan(name, models);
    if (problem !== null) note(file, problem);
  }
  for (const file of strayHooks) note(file, stray(file));
}

function orphan(name: string, models: readonly RawModel[]): Orphan | null {
  if (reservedKeys.has(name)) return null;
  if (name === usersKey)
    return { message: "the accounts have no model routes", hint: "their hooks stand in hooks/auth.ts" };
  const own = models.filter(({ builtIn }) => !builtIn).map(({ key }) => key);
  if (own.includes(name)) return null;
  const hint =
    didYouMean(name, [...own, ...reservedKeys]) ??
    "files that hooks share belong beside the folder, not in it";
  return { message: `there is no model "${name}" for this hook file`, hint };
}

function stray(file: string): Orphan {
  if (/\/hooks\/[^/]+$/.test(`/${file}`))
    return { message: "hook files end in .ts; this one is not read", hint: null };
  return {
    message: "hook files stand in the folder itself; this one is not read",
    hint: "files that hooks share belong beside the folder, not in it",
  };
}
