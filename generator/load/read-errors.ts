import { posix } from "node:path";
import { errorsFile } from "../../vocabulary/models-folder.ts";
import type { JsonNode } from "./json-tree.ts";
import type { RawError } from "./raw.ts";
import { child, membersOf, readNumber, readString } from "./read.ts";

/** Path of the errors of the app's own, beside the models file. */
export function errorsPath(models: string): string {
  return posix.join(posix.dirname(models), errorsFile);
}

/** Reads the file. Tolerant: what has a wrong shape is skipped, and the shape check reports it. */
export function readErrors(root: JsonNode): RawError[] {
  return [...membersOf(root)].flatMap(([name, { key, value }]) => {
    const status = readNumber(child(value, "status"));
    const description = readString(child(value, "description"));
    if (name === "$schema" || value.kind !== "object") return [];
    return [
      {
        code: { value: name, at: key },
        status: status?.value ?? 0,
        description: description?.value ?? "",
      },
    ];
  });
}
