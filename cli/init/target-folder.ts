import { readdirSync, statSync } from "node:fs";

/** What a repository that was just made, and the programs that look at folders, leave in one. An app may come to stand beside it. */
const usual =
  /^(?:\.git|\.gitignore|\.gitattributes|\.editorconfig|\.vscode|\.idea|\.DS_Store|Thumbs\.db|(?:licen[cs]e|copying|notice|readme|codeowners)(?:\.\w+)?)$/i;

/** The longest list of files in a message. */
const shown = 5;

/** Why no app can be made in a folder, or null. Nobody's files are ever replaced. */
export function folderProblem(root: string): string | null {
  try {
    if (!statSync(root).isDirectory()) return `${root} is a file: an app needs a folder`;
    const others = readdirSync(root).filter((name) => !usual.test(name));
    return others.length === 0 ? null : `${root} is not empty (${listed(others)}): name a new folder`;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : null;
    if (code === "ENOENT") return null;
    if (code === "ENOTDIR") return `${root} leads through a file: an app needs a folder`;
    if (code === "EACCES" || code === "EPERM")
      return `${root} may not be read by this user: name another folder`;
    throw error;
  }
}

function listed(names: readonly string[]): string {
  const more = names.length > shown ? ` and ${names.length - shown} more` : "";
  return `${names.toSorted().slice(0, shown).join(", ")}${more}`;
}
