import type { Bucket } from "./bucket.ts";
import type { Payload } from "./payload.ts";
import { type XmlNode, xmlDocument } from "./xml.ts";

/** A request that was understood, signed and whole. */
export interface Call {
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

/** What S3 can do, and how it is asked for. Whatever a request says beyond that is refused. */
export interface Operation {
  readonly name: string;
  readonly method: string;
  readonly on: "bucket" | "object";
  /** Parameters that must be there, by which it is known. */
  readonly marks: readonly string[];
  readonly parameters?: readonly string[];
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
