import { codeFormat, codeFormatOf, shownFormat } from "../../vocabulary/code-format.ts";
import { lockFile } from "../../vocabulary/models-folder.ts";

const lock = `generated/${lockFile}`;

/** Why this runtime cannot serve code with this lock (null: no lock), in one line; null if it can. */
export function codeFormatRefusal(text: string | null): string | null {
  if (text === null)
    return `${lock} is missing: run npx kirak generate, and deploy this file with generated/`;
  const format = formatIn(text);
  if (format === null) return unreadable(text);
  const formats = `${shownFormat(format)}, this runtime serves ${codeFormat}`;
  if (format < codeFormat)
    return `generated/ was made for an older version of kirak (${formats}): run npx kirak generate`;
  if (format > codeFormat)
    return `generated/ was made for a newer version of kirak (${formats}): install the version that made it, such as npm install kirak@latest`;
  return null;
}

function formatIn(text: string): number | null {
  try {
    const data: unknown = JSON.parse(text);
    return typeof data === "object" && data !== null && !Array.isArray(data) ? codeFormatOf(data) : null;
  } catch {
    return null;
  }
}

function unreadable(text: string): string {
  return /^(<{7}|>{7}) /m.test(text)
    ? `${lock} has merge conflict markers: merge models/, then run npx kirak generate`
    : `${lock} cannot be read: run npx kirak generate, which writes it again`;
}
