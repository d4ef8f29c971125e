import { exportedHooks } from "./exported-hooks.ts";
import { readInput } from "./files.ts";
import type { RawModel } from "./raw.ts";
import { type RawFills, readFills } from "./read-fills.ts";

/** What the text of a model's hook file says. */
export interface RawHooks {
  readonly file: string;
  readonly text: string;
  /** Names of the hooks that it exports. */
  readonly exported: ReadonlySet<string>;
  /** Null where it does not say what its hooks fill in. */
  readonly fills: RawFills | null;
}

/** The hook files of the app's models, by the model's key. */
export type ModelHooks = ReadonlyMap<string, RawHooks>;

/** Reads the hook files of models. `files` are all hook files by their names. */
export async function readModelHooks(
  root: string,
  models: readonly RawModel[],
  files: ReadonlyMap<string, string>,
): Promise<ModelHooks> {
  const owned = models.flatMap(({ key, builtIn }) => {
    const file = builtIn ? undefined : files.get(key);
    return file === undefined ? [] : [{ key, file }];
  });
  return new Map(
    await Promise.all(owned.map(async ({ key, file }) => [key, await readHooks(root, file)] as const)),
  );
}

async function readHooks(root: string, file: string): Promise<RawHooks> {
  const text = (await readInput(root, file)).text ?? "";
  return { file, text, exported: await exportedHooks(root, file), fills: readFills(file, text) };
}
