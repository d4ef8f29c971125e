import type { CountedPer } from "../../vocabulary/limits.ts";
import type { JsonNode } from "./json-tree.ts";
import type { RawRateLimit } from "./raw.ts";
import { child, readBoolean, readNumber, readString } from "./read.ts";
import { keySpans } from "./read-field.ts";

/** Reads a `rate_limit` with its entries. Null where there is none. */
export function readRateLimit(node: JsonNode | undefined): RawRateLimit | null {
  if (node?.kind !== "object") return null;
  const entries = [...node.members].flatMap(([key, member]) => {
    const entry = readRateLimit(member.value);
    return entry === null ? [] : [[key, entry] as const];
  });
  return {
    at: node.at,
    enabled: readBoolean(child(node, "enabled"))?.value ?? null,
    maxRequests: readNumber(child(node, "max_requests"))?.value ?? null,
    windowSeconds: readNumber(child(node, "window_seconds"))?.value ?? null,
    per: readPer(readString(child(node, "per"))?.value),
    keys: keySpans(node),
    entries: new Map(entries),
  };
}

function readPer(text: string | undefined): CountedPer {
  return text === "user" || text === "model" ? text : "ip";
}
