import { posix } from "node:path";
import { readInput } from "./files.ts";

const names = /\b(?:jobs|mail|sms)\b/;
const imported = /\b(?:from|import)\s*\(?\s*["'](\.[^"']+)["']/g;
/** Texts and templates are kept: a template can hold code. */
const comments =
  /("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\[\s\S])*`)|\/\*[\s\S]*?\*\/|\/\/[^\n]*/g;

/** Whether files of code, or files that they import, name `jobs`, `mail` or `sms`: by these a context puts jobs into the queue. */
export async function namesQueue(root: string, files: readonly string[]): Promise<boolean> {
  const queue = [...files];
  const seen = new Set(queue);
  for (let file = queue.shift(); file !== undefined; file = queue.shift()) {
    const { text } = await readInput(root, file);
    const code = (text ?? "").replace(comments, (_, kept?: string) => kept ?? " ");
    const paths = [...code.matchAll(imported)].map(([, path = ""]) => path);
    if (names.test(code.replace(imported, ""))) return true;
    for (const path of paths) {
      const next = posix.join(posix.dirname(file), path);
      if (seen.has(next)) continue;
      seen.add(next);
      queue.push(next);
    }
  }
  return false;
}
