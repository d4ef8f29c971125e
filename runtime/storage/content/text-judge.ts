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

/** Looks at four bytes at once, which takes a third of the time: an upload of text costs little else. */
function hasControl(chunk: Buffer): boolean {
  if (chunk.length < 8) return hasControlIn(chunk, 0, chunk.length);
  const start = -chunk.byteOffset & 3;
  const words = new Int32Array(chunk.buffer, chunk.byteOffset + start, (chunk.length - start) >> 2);
  const end = start + words.length * 4;
  if (hasControlIn(chunk, 0, start) || hasControlIn(chunk, end, chunk.length)) return true;
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? 0;
    const deletes = word ^ 0x7f7f7f7f;
    // The highest bit of each byte below U+0020, or that is U+007F. May be set beside one of these, too.
    const found = (((word - 0x20202020) & ~word) | ((deletes - 0x01010101) & ~deletes)) & 0x80808080;
    if (found !== 0 && hasControlIn(chunk, start + at * 4, start + at * 4 + 4)) return true;
  }
  return false;
}

function hasControlIn(chunk: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (isControl[chunk[at] ?? 0] === 1) return true;
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
