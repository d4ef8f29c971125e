import { isDeepStrictEqual } from "node:util";
import { applyEdits, modify } from "jsonc-parser";
import { isJsonObject } from "../../../vocabulary/json.ts";

const formatting = { formattingOptions: { insertSpaces: true, tabSize: 2 } };

/** The text of a JSON file with other content. Where the content is equal, the text stays as it is: numbers keep all their digits. */
export function editedText(text: string, before: unknown, after: unknown): string {
  return editsBetween(before, after, []).reduce(
    (edited, { path, value }) => applyEdits(edited, modify(edited, [...path], value, formatting)),
    text,
  );
}

interface Edit {
  readonly path: readonly string[];
  /** Undefined removes the key. */
  readonly value: unknown;
}

function editsBetween(before: unknown, after: unknown, path: readonly string[]): Edit[] {
  if (isDeepStrictEqual(before, after)) return [];
  if (!isJsonObject(before) || !isJsonObject(after)) return [{ path, value: after }];
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].flatMap((key) => {
    if (!Object.hasOwn(after, key)) return [{ path: [...path, key], value: undefined }];
    if (!Object.hasOwn(before, key)) return [{ path: [...path, key], value: after[key] }];
    return editsBetween(before[key], after[key], [...path, key]);
  });
}
