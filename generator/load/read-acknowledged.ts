import { posix } from "node:path";
import type { JsonNode } from "./json-tree.ts";
import type { RawAcknowledgement } from "./raw.ts";
import { child, membersOf, readString } from "./read.ts";

/** The path of the acknowledgements, next to the models file. */
export function acknowledgedPath(models: string): string {
  return posix.join(posix.dirname(models), "access-acknowledged.json");
}

/** Reads the acknowledgements. Skips values that are not strings: the shape check reports them. */
export function readAcknowledged(root: JsonNode): RawAcknowledgement[] {
  return [...membersOf(child(root, "acknowledged"))].map(([id, member]) => ({
    id: { value: id, at: member.key },
    reason: readString(member.value),
  }));
}
