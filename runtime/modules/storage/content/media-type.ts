import { isUtf8 } from "node:buffer";
import type { FileHandle } from "node:fs/promises";
import { extname } from "node:path";

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

/** How much of a content is looked at: what `file-type` asks for. */
const magicBytes = 4100;

/** Says what follows of a text, and nothing of what it is. */
const byteOrderMarks = ["efbbbf", "feff", "fffe"].map((hex) => Buffer.from(hex, "hex"));
/** Its directory may stand anywhere, such as at the end, where `file-type` would look for it. */
const tiffs = ["49492a00", "4d4d002a"].map((hex) => Buffer.from(hex, "hex"));
/** Types by two or three bytes that a text may begin with by chance, such as `BM`, `MZ` and `ID3`. */
const chance = new Set([
  "application/x-arj",
  "application/x-bzip2",
  "application/x-msdownload",
  "application/x-shockwave-flash",
  "audio/mpeg",
  "image/bmp",
]);

/** The media type that the first bytes of a content tell. Null where they tell none. */
async function magicOf(head: Buffer, isText: boolean): Promise<string | null> {
  if (begins(head, byteOrderMarks)) return null;
  const found = (await detect(head)) ?? (begins(head, tiffs) ? "image/tiff" : null);
  // A declaration is no magic: it may be an SVG, or any text.
  if (found === null || found === "application/xml") return null;
  // A PNG that moves: whoever knows nothing of that sees its first frame.
  if (found === "image/apng") return "image/png";
  return isText && chance.has(found) ? null : found;
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
    // It throws on bytes that begin like something and are not.
    return null;
  }
}

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
class TextJudge {
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

/** The media type of an archive that is nothing else. */
export const zipType = "application/zip";

/** The record at the end of an archive, without the comment that can follow. */
const endBytes = 22;
const endSignature = Buffer.from("504b0506", "hex");
const longestComment = 65_535;
/** Of the directory: an office file of some thousand parts has less. */
const mostDirectoryBytes = 1_048_576;
const entrySignature = 0x02014b50;
const entryBytes = 46;

/** Office Open XML by the part that the whole begins with: without macros, and with them. */
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

/**
 * The media type of an archive, by the names in the directory at its end: the first bytes often tell too little, since
 * not every program writes `[Content_Types].xml` first. `application/zip` where it is no office file.
 */
export async function zipTypeOf(file: FileHandle): Promise<string> {
  const names = await namesIn(file);
  if (!names.has("[Content_Types].xml")) return zipType;
  const [, types] = [...officeTypes].find(([part]) => names.has(part)) ?? [];
  if (types === undefined) return zipType;
  const [plain, withMacros] = types;
  return [...names].some((name) => name.endsWith("/vbaProject.bin")) ? withMacros : plain;
}

/** The names in an archive; none where its directory cannot be read. */
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
