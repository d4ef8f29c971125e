/** How much of a content is looked at: what `file-type` asks for. */
export const magicBytes = 4100;

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
export async function magicOf(head: Buffer, isText: boolean): Promise<string | null> {
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
