import { isUtf8 } from "node:buffer";
import type { FileHandle } from "node:fs/promises";
import { extname } from "node:path";

/** The detected kind of a file's content, independent of its name. */
export interface ContentKind {
  /** Media type by magic bytes; null if unknown. */
  readonly magic: string | null;
  /** Whether the whole content is text. */
  readonly isText: boolean;
}

const plainText = "text/plain";
const unknown = "application/octet-stream";

/** Text types that only the file name reveals, for contents that are text. */
const textTypes: ReadonlyMap<string, string> = new Map([
  [".csv", "text/csv"],
  [".json", "application/json"],
  [".svg", "image/svg+xml"],
  [".html", "text/html"],
  [".css", "text/css"],
  [".md", "text/markdown"],
]);

/** Media type of a content with this file name (docs/storage.md#types). */
export function mediaTypeNamed({ magic, isText }: ContentKind, name: string): string {
  if (magic !== null) return magic;
  if (!isText) return unknown;
  return textTypes.get(extname(name).toLowerCase()) ?? plainText;
}

/** Media type of a file after a change of its name, which decides the type of a text. */
export function mediaTypeRenamed(mediaType: string, name: string): string {
  const isText = mediaType === plainText || [...textTypes.values()].includes(mediaType);
  return isText ? mediaTypeNamed({ magic: null, isText }, name) : mediaType;
}

/** Detects the kind of a stream of chunks in constant memory. */
export class ContentProbe {
  readonly #text = new TextDetector();
  #head: Buffer = Buffer.alloc(0);

  /** Whether further chunks can change the result. */
  take(chunk: Buffer): boolean {
    const missing = magicBytes - this.#head.length;
    // A copy, because the sender may reuse the chunk's memory.
    if (missing > 0) this.#head = Buffer.concat([this.#head, chunk.subarray(0, missing)]);
    return this.#text.take(chunk) || missing > chunk.length;
  }

  /** The result; call it after the last chunk that matters. */
  async end(): Promise<ContentKind> {
    const isText = this.#text.end();
    return { magic: await magicOf(this.#head, isText), isText };
  }
}

/** Bytes that `file-type` needs. */
const magicBytes = 4100;

/** A byte order mark marks text, but not the type of the text. */
const byteOrderMarks = ["efbbbf", "feff", "fffe"].map((hex) => Buffer.from(hex, "hex"));
/** The directory of a TIFF can be at the end of the file, and `file-type` would read it there. */
const tiffs = ["49492a00", "4d4d002a"].map((hex) => Buffer.from(hex, "hex"));
/** Types whose magic bytes can also begin a text, such as `BM`, `MZ` and `ID3`. */
const shortSignatures = new Set([
  "application/x-arj",
  "application/x-bzip2",
  "application/x-msdownload",
  "application/x-shockwave-flash",
  "audio/mpeg",
  "image/bmp",
]);

/** Media type by the first bytes of a content; null if unknown. */
async function magicOf(head: Buffer, isText: boolean): Promise<string | null> {
  if (begins(head, byteOrderMarks)) return null;
  const found = (await detect(head)) ?? (begins(head, tiffs) ? "image/tiff" : null);
  // An XML declaration is not enough: the content can be SVG or any other text.
  if (found === null || found === "application/xml") return null;
  // An animated PNG: older readers show its first frame.
  if (found === "image/apng") return "image/png";
  return isText && shortSignatures.has(found) ? null : found;
}

function begins(head: Buffer, signatures: readonly Buffer[]): boolean {
  return signatures.some((signature) => head.subarray(0, signature.length).equals(signature));
}

async function detect(head: Buffer): Promise<string | null> {
  const { fileTypeFromBuffer } = await import("file-type");
  try {
    // Without parameters, such as codecs.
    return (await fileTypeFromBuffer(head))?.mime.split(";", 1)[0] ?? null;
  } catch {
    // `file-type` throws on malformed contents.
    return null;
  }
}

/** Most bytes of an incomplete character at the end of a chunk. */
const longestRest = 3;
/** U+0000 to U+001F and U+007F, except for tab, line feed, form feed and carriage return. */
const controls = [...Array(0x20).keys(), 0x7f].filter((byte) => ![0x09, 0x0a, 0x0c, 0x0d].includes(byte));
/** Indexed by two bytes in either byte order: 1 if one of them is a control character. */
const isControl = new Uint8Array(0x10000);
for (const control of controls)
  for (let other = 0; other < 0x100; other++)
    isControl[(control << 8) | other] = isControl[(other << 8) | control] = 1;

/** Checks chunks for text: valid UTF-8 without control characters (docs/storage.md#types). */
class TextDetector {
  #rest: Buffer = Buffer.alloc(0);
  #isText = true;

  /** Whether the content can still be text. */
  take(chunk: Buffer): boolean {
    if (this.#isText) this.#isText = this.#continues(chunk);
    return this.#isText;
  }

  /** Whether the whole content is text. */
  end(): boolean {
    return this.#isText && this.#rest.length === 0;
  }

  #continues(chunk: Buffer): boolean {
    if (hasControl(chunk)) return false;
    const all = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    const end = endOfLastCharacter(all);
    // A copy, because the sender may reuse the chunk's memory.
    this.#rest = Buffer.from(all.subarray(end));
    return isUtf8(all.subarray(0, end));
  }
}

/** Checks eight bytes at once, which halves the CPU time of a text upload. */
function hasControl(chunk: Buffer): boolean {
  if (chunk.length < 8) return hasControlIn(chunk, 0, chunk.length);
  const start = chunk.byteOffset & 1;
  const pairs = new Uint16Array(chunk.buffer, chunk.byteOffset + start, ((chunk.length - start) >> 3) * 4);
  for (let at = 0; at < pairs.length; at += 4)
    if (
      (controlFlag(pairs[at]) |
        controlFlag(pairs[at + 1]) |
        controlFlag(pairs[at + 2]) |
        controlFlag(pairs[at + 3])) !==
      0
    )
      return true;
  return hasControlIn(chunk, 0, start) || hasControlIn(chunk, start + pairs.byteLength, chunk.length);
}

function hasControlIn(chunk: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (controlFlag(0x2000 | (chunk[at] ?? 0)) === 1) return true;
  return false;
}

function controlFlag(pair = 0): number {
  return isControl[pair] ?? 0;
}

/** Start of an incomplete last character, or the length. */
function endOfLastCharacter(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(longestRest, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) break;
    // The first byte of a character contains its length.
    if (byte >= 0xc0)
      return back < (byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4) ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

/** Media type of a plain archive. */
export const zipType = "application/zip";

/** The end-of-central-directory record without its optional comment. */
const endBytes = 22;
const endSignature = Buffer.from("504b0506", "hex");
const longestComment = 65_535;
/** Limit of the central directory; office files with thousands of parts have less. */
const mostDirectoryBytes = 1_048_576;
const entrySignature = 0x02014b50;
const entryBytes = 46;

/** Office Open XML types by their main part: without and with macros. */
const officeTypes: ReadonlyMap<string, readonly [plain: string, withMacros: string]> = new Map([
  [
    "word/document.xml",
    [
      "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
      "application/vnd.ms-word.document.macroenabled.12",
    ],
  ],
  [
    "xl/workbook.xml",
    [
      "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
      "application/vnd.ms-excel.sheet.macroenabled.12",
    ],
  ],
  [
    "ppt/presentation.xml",
    [
      "application/vnd.openxmlformats-officedocument.presentationml.presentation",
      "application/vnd.ms-powerpoint.presentation.macroenabled.12",
    ],
  ],
]);

/** Type by the central directory: `[Content_Types].xml` is not always first. Default `application/zip`. */
export async function zipTypeOf(file: FileHandle): Promise<string> {
  const names = await namesIn(file);
  if (!names.has("[Content_Types].xml")) return zipType;
  const [, types] = [...officeTypes].find(([part]) => names.has(part)) ?? [];
  if (types === undefined) return zipType;
  const [plain, withMacros] = types;
  return [...names].some((name) => name.endsWith("/vbaProject.bin")) ? withMacros : plain;
}

/** Names in the archive; empty if the directory cannot be read. */
async function namesIn(file: FileHandle): Promise<ReadonlySet<string>> {
  const { size } = await file.stat();
  const tailBytes = Math.min(size, endBytes + longestComment);
  const tail = await bytesAt(file, size - tailBytes, tailBytes);
  const end = tail.lastIndexOf(endSignature);
  if (end === -1 || end + endBytes > tail.length) return new Set();
  const [bytes, offset] = [tail.readUInt32LE(end + 12), tail.readUInt32LE(end + 16)];
  if (bytes > mostDirectoryBytes || offset + bytes > size) return new Set();
  return new Set(entryNames(await bytesAt(file, offset, bytes)));
}

function* entryNames(directory: Buffer): Generator<string> {
  for (let at = 0; at + entryBytes <= directory.length && directory.readUInt32LE(at) === entrySignature; ) {
    const [name = 0, extra = 0, comment = 0] = [28, 30, 32].map((field) =>
      directory.readUInt16LE(at + field),
    );
    yield directory.toString("utf8", at + entryBytes, at + entryBytes + name);
    at += entryBytes + name + extra + comment;
  }
}

async function bytesAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}
