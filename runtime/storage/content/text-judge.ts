import { isUtf8 } from "node:buffer";

/** The longest beginning of a character that can be cut off at the end of a chunk. */
const longestRest = 3;
/** Control characters that no text has: U+0000 to U+001F without tab, line feed, form feed and carriage return, and U+007F. */
const isControl = Uint8Array.from({ length: 256 }, (_, byte) =>
  (byte < 0x20 && ![0x09, 0x0a, 0x0c, 0x0d].includes(byte)) || byte === 0x7f ? 1 : 0,
);

/** Judges chunk by chunk whether a content is text: valid UTF-8 without control characters (decisions, part 10). */
export class TextJudge {
  #rest: Buffer = Buffer.alloc(0);
  #isText = true;

  /** Whether it can still be text. */
  take(chunk: Buffer): boolean {
    if (this.#isText) this.#isText = this.#continues(chunk);
    return this.#isText;
  }

  /** Whether all of it was text. */
  end(): boolean {
    return this.#isText && this.#rest.length === 0;
  }

  #continues(chunk: Buffer): boolean {
    if (hasControl(chunk)) return false;
    const all = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    const end = lastWhole(all);
    // A copy: the chunk's memory is somebody else's.
    this.#rest = Buffer.from(all.subarray(end));
    return isUtf8(all.subarray(0, end));
  }
}

function hasControl(chunk: Buffer): boolean {
  for (let at = 0; at < chunk.length; at++) if (isControl[chunk[at] ?? 0] === 1) return true;
  return false;
}

/** Where a character begins whose end is not here yet; the length where there is none. */
function lastWhole(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(longestRest, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) break;
    // The first byte of a character says how many it has.
    if (byte >= 0xc0)
      return back < (byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4) ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}
