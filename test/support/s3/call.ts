import { createHash, randomUUID } from "node:crypto";
import { crc32 } from "node:zlib";
import { SaxesParser, type SaxesTagPlain } from "saxes";

/** What S3 refuses a request with. */
export class S3Error extends Error {
  override readonly name = "S3Error";
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

export interface StoredObject {
  readonly content: Buffer;
  /** With its quotes. */
  readonly etag: string;
  /** What it is answered with, by names in lower case: its type, disposition, metadata. */
  readonly headers: ReadonlyMap<string, string>;
  readonly modified: Date;
  /** The header and the value. */
  readonly checksum: readonly [name: string, value: string] | null;
}

export interface StoredPart {
  readonly content: Buffer;
  readonly etag: string;
  readonly checksum: readonly [name: string, value: string] | null;
}

export interface PendingUpload {
  readonly id: string;
  readonly key: string;
  readonly headers: ReadonlyMap<string, string>;
  /** `CRC32` and the like. Null: none was asked for. */
  readonly checksumAlgorithm: string | null;
  readonly begun: Date;
  readonly parts: Map<number, StoredPart>;
}

/** What a bucket holds, in memory. */
export class Bucket {
  readonly objects = new Map<string, StoredObject>();
  readonly uploads = new Map<string, PendingUpload>();
  /** Names that DeleteObjects does not delete. */
  readonly kept = new Set<string>();

  /** Names in the order of their UTF-8 bytes. */
  get names(): string[] {
    return [...this.objects.keys()].sort(byBytes);
  }

  put(name: string, object: Omit<StoredObject, "etag">, etag = tagOf(object.content)): StoredObject {
    if (Buffer.byteLength(name) > 1024) throw new S3Error(400, "KeyTooLongError", "Your key is too long");
    const stored = { ...object, etag };
    this.objects.set(name, stored);
    return stored;
  }

  begin(upload: Pick<PendingUpload, "key" | "headers" | "checksumAlgorithm" | "begun">): PendingUpload {
    const pending = { ...upload, id: randomUUID(), parts: new Map() };
    this.uploads.set(pending.id, pending);
    return pending;
  }
}

/** As S3 makes them: of one piece the MD5. */
export function tagOf(content: Buffer): string {
  return `"${createHash("md5").update(content).digest("hex")}"`;
}

export function byBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/** An element: its name, and what is in it. */
export type XmlNode = readonly [name: string, content: string | number | boolean | readonly XmlNode[]];

const namespace = "http://s3.amazonaws.com/doc/2006-03-01/";

/** A document as S3 writes them. */
export function xmlDocument([name, content]: XmlNode, ofS3 = true): string {
  const begin = ofS3 ? `<${name} xmlns="${namespace}">` : `<${name}>`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n${begin}${xmlContent(content)}</${name}>`;
}

function xmlContent(content: XmlNode[1]): string {
  if (typeof content === "object")
    return content.map(([name, inner]) => `<${name}>${xmlContent(inner)}</${name}>`).join("");
  return String(content)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll("\r", "&#13;");
}

/** An element that was read. */
export interface XmlElement {
  readonly name: string;
  readonly children: readonly XmlElement[];
  readonly text: string;
}

/** Reads a document, whose root must have this name. Error: 400 `MalformedXML`. */
export function readXml(text: string, root: string): XmlElement {
  const malformed = () => new S3Error(400, "MalformedXML", "not well-formed");
  const top: Building = { name: "", children: [], text: "" };
  const open = [top];
  const parser = new SaxesParser();
  parser.on("error", () => {
    throw malformed();
  });
  parser.on("opentag", ({ name }: SaxesTagPlain) => {
    const element: Building = { name, children: [], text: "" };
    open.at(-1)?.children.push(element);
    open.push(element);
  });
  parser.on("text", (part) => {
    const element = open.at(-1);
    if (element !== undefined) element.text += part;
  });
  parser.on("closetag", () => void open.pop());
  parser.write(text).close();
  const [found] = top.children;
  if (found?.name !== root) throw malformed();
  return found;
}

interface Building {
  readonly name: string;
  readonly children: Building[];
  text: string;
}

/** The text of the first child of a name. */
export function textIn({ children }: XmlElement, name: string): string | undefined {
  return children.find((child) => child.name === name)?.text;
}

/** A body whose checksums match. */
export interface Payload {
  readonly content: Buffer;
  /** The header of the checksum that was sent with it, and its value; SDKs send one. */
  readonly checksum: readonly [name: string, value: string] | null;
}

const sumName = "x-amz-checksum-crc32";

/** Checks each sum that was sent with a body. Error: that of S3, 400; 501 for sums and encodings that Kirak does not send. */
export function readPayload(content: Buffer, headers: ReadonlyMap<string, string>): Payload {
  const hash = headers.get("x-amz-content-sha256") ?? "UNSIGNED-PAYLOAD";
  if (/^[0-9a-f]{64}$/.test(hash)) {
    if (createHash("sha256").update(content).digest("hex") !== hash)
      throw new S3Error(400, "XAmzContentSHA256Mismatch", "did not match");
  } else if (hash !== "UNSIGNED-PAYLOAD") throw new S3Error(501, "NotImplemented", `no ${hash} here`);
  const md5 = headers.get("content-md5");
  if (md5 !== undefined && md5 !== createHash("md5").update(content).digest("base64"))
    throw new S3Error(400, "BadDigest", "the MD5 did not match");
  const others = [...headers.keys()].filter((name) =>
    /^x-amz-checksum-(?!algorithm$|mode$|type$|crc32$)/.test(name),
  );
  if (others.length > 0) throw new S3Error(501, "NotImplemented", `no ${others.join(", ")} here`);
  const sum = headers.get(sumName);
  if (sum === undefined) return { content, checksum: null };
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(crc32(content));
  if (bytes.toString("base64") !== sum) throw new S3Error(400, "BadDigest", "the checksum did not match");
  return { content, checksum: [sumName, sum] };
}

/** A request that was understood, signed and whole. */
export interface Call {
  /** Most entries of one page. */
  readonly pageSize: number;
  readonly bucket: Bucket;
  readonly bucketName: string;
  /** Empty for those of the bucket. */
  readonly key: string;
  readonly query: ReadonlyMap<string, string>;
  readonly headers: ReadonlyMap<string, string>;
  readonly payload: Payload;
  readonly signed: boolean;
  readonly now: Date;
}

export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer;
}

/** An operation of S3, and its requests. A request with anything else is refused. */
export interface Operation {
  readonly name: string;
  readonly method: string;
  readonly on: "bucket" | "object";
  /** Parameters that must be there, by which it is known. */
  readonly marks: readonly string[];
  readonly parameters?: readonly string[];
  /** A header that must be there, by which it is known. */
  readonly header?: string;
  /** Of those that begin with `x-amz-`. */
  readonly headers?: readonly string[];
  readonly run: (call: Call) => Reply;
}

export function xmlReply(node: XmlNode, headers: Reply["headers"] = {}): Reply {
  return {
    status: 200,
    headers: { ...headers, "content-type": "application/xml" },
    body: Buffer.from(xmlDocument(node)),
  };
}

/** What the object keeps of the headers of a request. */
export function keptHeaders(headers: ReadonlyMap<string, string>): Map<string, string> {
  const kept = [...headers].filter(([name]) =>
    /^(?:content-(?:type|disposition|language|encoding)|cache-control|expires|x-amz-meta-.+)$/.test(name),
  );
  return new Map(kept);
}
