import { extname } from "node:path";
import { magicBytes, magicOf } from "./magic.ts";
import { TextJudge } from "./text-judge.ts";

/** What a content says of itself, whatever its name. */
export interface ContentKind {
  /** The media type of its magic bytes. Null where it has none. */
  readonly magic: string | null;
  /** Whether all of it is text. */
  readonly isText: boolean;
}

const plainText = "text/plain";
const unknown = "application/octet-stream";

/** Text types that a name tells, and only of text: no bytes do. */
const textTypes: ReadonlyMap<string, string> = new Map([
  [".csv", "text/csv"],
  [".json", "application/json"],
  [".svg", "image/svg+xml"],
  [".html", "text/html"],
  [".css", "text/css"],
  [".md", "text/markdown"],
]);

/** The media type of a content under a name, which is the last segment of its key (docs/storage.md#types). */
export function mediaTypeNamed({ magic, isText }: ContentKind, name: string): string {
  if (magic !== null) return magic;
  if (!isText) return unknown;
  return textTypes.get(extname(name).toLowerCase()) ?? plainText;
}

/** Finds out what a content is while it passes by, in constant memory. */
export class ContentProbe {
  readonly #text = new TextJudge();
  #head: Buffer = Buffer.alloc(0);

  /** Whether what follows may change anything. */
  take(chunk: Buffer): boolean {
    const missing = magicBytes - this.#head.length;
    // A copy: the chunk's memory is somebody else's.
    if (missing > 0) this.#head = Buffer.concat([this.#head, chunk.subarray(0, missing)]);
    return this.#text.take(chunk) || missing > chunk.length;
  }

  /** What it is, once all that matters has passed by. */
  async end(): Promise<ContentKind> {
    const isText = this.#text.end();
    return { magic: await magicOf(this.#head, isText), isText };
  }
}
