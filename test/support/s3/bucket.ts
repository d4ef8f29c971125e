import { createHash, randomUUID } from "node:crypto";
import { S3Error } from "./s3-error.ts";

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

/** More than tests have any need of. */
const mostBytes = 512 * 1024 * 1024;

/** What a bucket holds, in memory. */
export class Bucket {
  readonly objects = new Map<string, StoredObject>();
  readonly uploads = new Map<string, PendingUpload>();

  /** Names in the order of their UTF-8 bytes. */
  get names(): string[] {
    return [...this.objects.keys()].sort(byBytes);
  }

  put(name: string, object: Omit<StoredObject, "etag">, etag = tagOf(object.content)): StoredObject {
    if (Buffer.byteLength(name) > 1024) throw new S3Error(400, "KeyTooLongError", "Your key is too long");
    this.requireRoom(object.content.length);
    const stored = { ...object, etag };
    this.objects.set(name, stored);
    return stored;
  }

  requireRoom(bytes: number): void {
    const held = [
      ...this.objects.values(),
      ...[...this.uploads.values()].flatMap(({ parts }) => [...parts.values()]),
    ];
    const sum = held.reduce((total, { content }) => total + content.length, bytes);
    if (sum > mostBytes) throw new S3Error(507, "InsufficientStorage", "the test server holds no more");
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
