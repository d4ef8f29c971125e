import { readFileSync } from "node:fs";
import { join } from "node:path";
import { checkedFilesSum, isAsFound, readCheckedFiles } from "../compile/checked-files.ts";
import { checksum } from "../output/checksum.ts";
import { filesIn } from "../output/output-folder.ts";
import { parsedJson } from "../output/parsed-json.ts";
import { makeFoldersOf, replaceFile } from "../output/save.ts";
import type { Result } from "../pipeline/result.ts";
import { isSettled, type Reading } from "./reading.ts";

/** What a clean run of the generator remembers: were all of it the same again, it would do nothing. */
interface LastRun {
  /** Sum of what it read. */
  readonly reading: string;
  /** Sum of every file in its output folder. */
  readonly output: string;
  /** Sum of what the compile check remembers, which tells what that hangs on. */
  readonly checked: string;
  /** What a run says that does nothing. */
  readonly says: string;
}

/** It is a cache: losing it costs a run that finds nothing to do. */
const file = "var/kirak/last-run.json";

/** What a run would say that has nothing to do, where the last one left all as it is and had nothing to complain of; else null. */
export function nothingToDo({ places: { root, out }, sum }: Reading): string | null {
  try {
    const last = readLastRun(root);
    if (last.reading !== sum || last.checked !== checkedFilesSum(root)) return null;
    const same = isAsFound(root, readCheckedFiles(root)) && sumOfFolder(join(root, out)) === last.output;
    return same ? last.says : null;
  } catch {
    return null;
  }
}

/**
 * Remembers a run that is over and had nothing to complain of; `says` is what the same run would say again. Not where somebody
 * saved something since it began to read.
 */
export async function rememberRun(
  reading: Reading,
  { exitCode, diagnostics, left }: Pick<Result, "exitCode" | "diagnostics" | "left">,
  says: string,
): Promise<void> {
  const { root } = reading.places;
  if (exitCode !== 0 || diagnostics.length > 0 || left === null || !(await isSettled(reading))) return;
  const { texts, checked } = left;
  const output = sumOfFiles([...texts.keys()], (path) => texts.get(path) ?? "");
  const last: LastRun = { reading: reading.sum, output, checked, says };
  try {
    makeFoldersOf([join(root, file)]);
    replaceFile(join(root, file), JSON.stringify(last));
  } catch {}
}

function readLastRun(root: string): LastRun {
  const data: unknown = parsedJson(readFileSync(join(root, file), "utf8"));
  const { reading, output, checked, says }: Record<string, unknown> = Object(data);
  return { reading: String(reading), output: String(output), checked: String(checked), says: String(says) };
}

function sumOfFolder(folder: string): string {
  return sumOfFiles(filesIn(folder), (path) => readFileSync(join(folder, path)));
}

function sumOfFiles(paths: readonly string[], contentOf: (path: string) => string | Uint8Array): string {
  return checksum(
    [...paths]
      .sort()
      .map((path) => `${path}\0${checksum(contentOf(path))}`)
      .join("\0"),
  );
}
