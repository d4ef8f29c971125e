import type { SourceSpan } from "../diagnostics/index.ts";
import type { JsonNode } from "./json-tree.ts";
import type { RawLintIgnore } from "./raw.ts";
import { child, membersOf, readString } from "./read.ts";

/** Reads the `lint_ignore` of a definition. `key` is the position of the definition's key, which the manifest does not have. */
export function readLintIgnore(node: JsonNode, key: SourceSpan = node.at): RawLintIgnore {
  const entries = [...membersOf(child(node, "lint_ignore"))].flatMap(([code, member]) => {
    const reason = readString(member.value);
    return reason === null ? [] : [{ code: { value: code, at: member.key }, reason }];
  });
  const length = node.at.offset + node.at.length - key.offset;
  return { scope: { file: key.file, offset: key.offset, length }, entries };
}
