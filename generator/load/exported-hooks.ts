import { posix } from "node:path";
import { hookNames } from "../../vocabulary/hook-names.ts";
import { readInput } from "./files.ts";
import { withoutComments } from "./hook-text.ts";

const names: ReadonlySet<string> = new Set(hookNames.model);

/**
 * The hooks that a hook file exports, by the words of its export statements; those of modules whose exports it passes on
 * among them. The compiler says the same with certainty, and costs a run a second: this is for warnings.
 */
export async function exportedHooks(
  root: string,
  file: string,
  seen = new Set<string>(),
): Promise<ReadonlySet<string>> {
  seen.add(file);
  const text = withoutComments((await readInput(root, file)).text ?? "");
  const passedOn = [...text.matchAll(/^\s*export\s*\*\s*from\s*["'](\.[^"']+)["']/gm)]
    .map(([, specifier = ""]) => posix.join(posix.dirname(file), specifier))
    .filter((path) => !seen.has(path));
  const further = await Promise.all(passedOn.map((path) => exportedHooks(root, path, seen)));
  return new Set([...statements(text), ...further.flatMap((found) => [...found])]);
}

function statements(text: string): string[] {
  const declared = [...text.matchAll(/^\s*export\s+(?:async\s+)?(?:function|const|let|var)\s*\*?\s+(\w+)/gm)];
  const lists = [...text.matchAll(/^\s*export\s+(?:(?:const|let|var)\s*)?\{([^}]*)\}/gm)];
  const listed = lists.flatMap(([, list = ""]) => list.split(",").map(exportedAs));
  const further = declared.flatMap((found) => furtherNames(text.slice(found.index + found[0].length)));
  return [...declared.map(([, name = ""]) => name), ...further, ...listed].filter((name) => names.has(name));
}

const part =
  /(["'])(?:(?!\1)[^\\\n]|\\.)*\1|[([{]|[)\]}]|;|^\s*(?:export|import|const|let|var|function|async|class|type|interface)\b|,\s*(\w+)\s*(?=:|=[^=>])/gm;

/** What else a declaration declares whose first name is behind: `= f, before_update = g;`. A comma within brackets separates other things. */
function furtherNames(rest: string): string[] {
  const found: string[] = [];
  let depth = 0;
  for (const [text, quote, name] of rest.matchAll(part)) {
    if ("([{".includes(text)) depth++;
    else if (")]}".includes(text)) depth--;
    else if (depth === 0 && name !== undefined) found.push(name);
    else if (depth === 0 && quote === undefined) break;
    if (depth < 0) break;
  }
  return found;
}

/** `checked as before_create` exports the second name, and so does `checked: before_create` of a pattern. */
function exportedAs(item: string): string {
  return (
    item
      .trim()
      .split(/\s+as\s+|\s*:\s*/)
      .at(-1) ?? ""
  );
}
