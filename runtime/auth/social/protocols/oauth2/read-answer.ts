import { isJsonObject } from "../../../../../vocabulary/json.ts";
import type { OAuth2Provider } from "../../../../../vocabulary/social/provider.ts";
import { readPath } from "../../conversation/paths.ts";
import { type Document, documentOf, member, type OutboundAnswer, scalar } from "../../outbound/index.ts";
import { SocialFailure } from "../../social-failure.ts";

type Row = OAuth2Provider;

/** Reads an answer as the provider makes them. Errors: `SocialFailure`, also where it tells of a failure with status 200. */
export function readAnswer(row: Row, answer: OutboundAnswer): Document {
  const read = documentOf(answer);
  const document = row.percentEncoded === true ? decoded(read) : read;
  if (isFailure(row, document)) throw new SocialFailure("the provider said that it failed");
  return document;
}

function isFailure({ success = {} }: Row, document: Document): boolean {
  const isRefused = Object.entries(success).some(([path, wanted]) => {
    const told = readPath(path, { profile: document });
    return told !== null && told !== wanted;
  });
  return isRefused || isError(member(document, "error"));
}

/** What stands in place of an error where there is none. */
const noErrors: ReadonlySet<string | null> = new Set([null, "false", "0", "ok"]);

/** An error is a code, or an object that has one; one that has none is an error all the same. */
function isError(error: Document): boolean {
  if (!isJsonObject(error) || Object.keys(error).length === 0) return !noErrors.has(scalar(error));
  return !noErrors.has(scalar(error["code"]) ?? scalar(error["error_code"]) ?? "unknown");
}

function decoded(document: Document): Document {
  if (typeof document === "string") return decodeText(document);
  if (Array.isArray(document)) return document.map(decoded);
  if (typeof document !== "object" || document === null) return document;
  return Object.fromEntries(Object.entries(document).map(([name, value]) => [name, decoded(value)]));
}

function decodeText(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
