import { posix } from "node:path";
import { readInput } from "./files.ts";

const names = /\b(?:jobs|mail|sms)\b/;
const imported = /\b(?:from|import)\s*\(?\s*["'`](\.[^"'`]+)["'`]/g;
/** Texts and templates are kept: a template can hold code. So is what may be part of a regular expression, such as `[/*]`. */
const comments =
  /("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\[\s\S])*`)|(?<![^\s(){},;])(?:\/\*[\s\S]*?\*\/|\/\/[^\n]*)/g;

/**
 * Whether files of code, or files that they import, name `jobs`, `mail` or `sms`: by these a context puts jobs into the queue. Names in
 * the output folder are those of models and fields.
 */
export async function namesQueue(root: string, files: readonly string[], out: string): Promise<boolean> {
  const queue = [...files];
  const seen = new Set(queue);
  for (let file = queue.shift(); file !== undefined; file = queue.shift()) {
    const { text } = await readInput(root, file);
    const code = (text ?? "").replace(comments, (_, kept?: string) => kept ?? " ");
    if (names.test(code.replace(imported, ""))) return true;
    for (const [, path = ""] of code.matchAll(imported)) {
      // TypeScript takes the name of the built file too.
      const next = posix.join(posix.dirname(file), path).replace(/\.js$/, ".ts");
      if (seen.has(next) || next.startsWith(`${out}/`)) continue;
      seen.add(next);
      queue.push(next);
    }
  }
  return false;
}
