import { isSocialPath } from "../../../../vocabulary/built-in-routes.ts";
import type { Conversation } from "../social/index.ts";

/** The route of a path. */
interface FoundPath {
  readonly pattern: string;
  /** The declared provider that a social path names. */
  readonly conversation: Conversation | null;
  /** The text of the path's parameter; empty for a path without one. */
  readonly parameter: string;
}

/** Apple's callback has two paths. */
const appleCallback = "/apple/callback";

/** Returns a function that finds the pattern of a path. The longest texts win over parameters. */
export function accountPaths(
  patterns: readonly string[],
  conversations: ReadonlyMap<string, Conversation>,
): (path: string) => FoundPath | null {
  const exact = new Set(patterns.filter((pattern) => !pattern.includes("{")));
  const open = [...new Set(patterns)].filter((pattern) => pattern.includes("{")).map(matcher);
  return (path) => {
    if (exact.has(path)) return exactly(path, conversations);
    for (const match of open) {
      const found = match(path);
      if (found === null) continue;
      const { pattern, parameter } = found;
      const conversation = conversations.get(parameter) ?? null;
      if (conversation !== null || !isSocialPath(pattern)) return { ...found, conversation };
    }
    return null;
  };
}

function exactly(pattern: string, conversations: ReadonlyMap<string, Conversation>): FoundPath | null {
  if (pattern !== appleCallback) return { pattern, conversation: null, parameter: "" };
  const conversation = conversations.get("apple-id") ?? null;
  return conversation === null ? null : { pattern, conversation, parameter: "" };
}

function matcher(pattern: string): (path: string) => Omit<FoundPath, "conversation"> | null {
  const [before = "", after = ""] = pattern.split(/\{\w+\}/);
  return (path) => {
    if (!path.startsWith(before) || !path.endsWith(after)) return null;
    // Clients can encode the colon of oidc:<name>.
    const parameter = path.slice(before.length, path.length - after.length).replace(/%3a/i, ":");
    return parameter === "" || parameter.includes("/") ? null : { pattern, parameter };
  };
}
