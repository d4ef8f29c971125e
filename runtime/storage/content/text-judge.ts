import { isUtf8 } from "node:buffer";

/** The longest beginning of a character that can be cut off at the end of a chunk. */
const longestRest = 3;
/** Control characters that no text has: U+0000 to U+001F without tab, line feed, form feed and carriage return, and U+007F. */
const controls = [...Array(0x20).keys(), 0x7f].filter((byte) => ![0x09, 0x0a, 0x0c, 0x0d].includes(byte));
/** For two bytes at once, whichever comes first: 1 where one of them is such a character. */
const isControl = new Uint8Array(0x10000);
for (const control of controls)
  for (let other = 0; other < 0x100; other++)
    isControl[(control << 8) | other] = isControl[(other << 8) | control] = 1;

/** Judges chunk by chunk whether a content is text: valid UTF-8 without control characters (docs/storage.md#types). */
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

/** Looks at eight bytes at once, which takes half of the time: an upload of text costs little else. */
function hasControl(chunk: Buffer): boolean {
  if (chunk.length < 8) return hasControlIn(chunk, 0, chunk.length);
  const start = chunk.byteOffset & 1;
  const pairs = new Uint16Array(chunk.buffer, chunk.byteOffset + start, ((chunk.length - start) >> 3) * 4);
  for (let at = 0; at < pairs.length; at += 4)
    if ((of(pairs[at]) | of(pairs[at + 1]) | of(pairs[at + 2]) | of(pairs[at + 3])) !== 0) return true;
  return hasControlIn(chunk, 0, start) || hasControlIn(chunk, start + pairs.byteLength, chunk.length);
}

function hasControlIn(chunk: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (of(0x2000 | (chunk[at] ?? 0)) === 1) return true;
  return false;
}

/** Of two bytes. */
function of(pair = 0): number {
  return isControl[pair] ?? 0;
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
