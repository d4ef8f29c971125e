import type { FileHandle } from "node:fs/promises";

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
