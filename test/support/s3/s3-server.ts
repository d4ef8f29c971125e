import { createSecretKey, randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { S3StorageSettings } from "#runtime/core/config/index";
import { afterFile } from "../after-file.ts";
import {
  Bucket,
  type Call,
  type PendingUpload,
  type Reply,
  readPayload,
  S3Error,
  type StoredObject,
} from "./call.ts";
import { type SignedRequest, verifySignature } from "./signature.ts";
import { bodyOf, errorReply, type Fault, Faults, operationOf, readRequest, sendReply } from "./wire.ts";

/** A request, as far as it was understood. */
export interface SeenRequest {
  readonly operation: string;
  readonly key: string;
  readonly headers: ReadonlyMap<string, string>;
  /** Null where it was not answered. */
  status: number | null;
}

export interface TestS3 {
  readonly endpoint: string;
  readonly port: number;
  readonly bucket: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly objects: Map<string, StoredObject>;
  /** Those in parts that are neither complete nor aborted. */
  readonly uploads: ReadonlyMap<string, PendingUpload>;
  /** Names that DeleteObjects does not delete. */
  readonly kept: Set<string>;
  /** All so far, in the order in which they arrived. */
  readonly requests: SeenRequest[];
  /** Every caller can read below these. */
  publicPrefixes: readonly string[];
  /** Most entries of one page of a list; at S3 1,000. */
  pageSize: number;
  /** How far its clock is ahead of that of the machine. */
  aheadMs: number;
  /** For a store with this bucket. */
  settings(stagingFolder: string): S3StorageSettings;
  /** Puts an object there that came by another way. */
  place(name: string, content?: string | Buffer, contentType?: string): void;
  /** Begins a multipart upload that is never completed. */
  begin(name: string): void;
  fault(fault: Fault): void;
  /** Told when a body begins (1) and when it is here (-1). */
  onBody: (change: 1 | -1) => void;
  /** Takes no connections any more, and breaks those of now. */
  refuse(): Promise<void>;
  /** Ends all faults, and takes connections again. */
  mend(): Promise<void>;
}

/**
 * An S3 server on a free port of the loopback interface, closed after the test file. It is as strict as S3: it checks signatures, sums and
 * lengths, and refuses what it does not know.
 */
export async function testS3(): Promise<TestS3> {
  const server = new S3Server();
  await server.mend();
  afterFile(() => server.refuse());
  return server;
}

class S3Server implements TestS3 {
  readonly bucket = "pictures";
  readonly region = "eu-test-1";
  readonly accessKeyId = "AKIDTESTTESTTEST";
  readonly secretAccessKey = randomUUID();
  readonly requests: SeenRequest[] = [];
  publicPrefixes: readonly string[] = [];
  aheadMs = 0;
  pageSize = 1000;
  onBody: (change: 1 | -1) => void = () => {};
  port = 0;
  readonly #bucket = new Bucket();
  readonly #faults = new Faults();
  readonly #sockets = new Set<Socket>();
  #server: Server | null = null;

  get endpoint(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get objects(): Map<string, StoredObject> {
    return this.#bucket.objects;
  }

  get uploads(): ReadonlyMap<string, PendingUpload> {
    return this.#bucket.uploads;
  }

  get kept(): Set<string> {
    return this.#bucket.kept;
  }

  settings(stagingFolder: string): S3StorageSettings {
    const { accessKeyId, secretAccessKey, bucket, region, endpoint } = this;
    const secret = createSecretKey(Buffer.from(secretAccessKey));
    const credentials = { accessKeyId, secretAccessKey: secret };
    return { provider: "s3", bucket, region, endpoint, forcePathStyle: true, credentials, stagingFolder };
  }

  place(name: string, content: string | Buffer = name, contentType = "binary/octet-stream"): void {
    const headers = new Map([["content-type", contentType]]);
    this.#bucket.put(name, { content: Buffer.from(content), headers, modified: this.#now(), checksum: null });
  }

  begin(name: string): void {
    this.#bucket.begin({ key: name, headers: new Map(), checksumAlgorithm: null, begun: this.#now() });
  }

  fault(fault: Fault): void {
    this.#faults.add(fault);
  }

  async refuse(): Promise<void> {
    const server = this.#server;
    this.#server = null;
    for (const socket of this.#sockets) socket.destroy();
    if (server === null) return;
    server.close();
    await once(server, "close");
  }

  async mend(): Promise<void> {
    this.#faults.clear();
    if (this.#server !== null) return;
    const server = createServer((request, response) => void this.#serve(request, response));
    // A body whose client waits for a word is refused before it is sent.
    server.on("checkContinue", (request, response) => void this.#serve(request, response));
    server.on("connection", (socket) => {
      this.#sockets.add(socket);
      socket.on("close", () => this.#sockets.delete(socket));
    });
    server.listen(this.port, "127.0.0.1");
    await once(server, "listening");
    this.#server = server;
    const address = server.address();
    if (typeof address === "object" && address !== null) this.port = address.port;
  }

  #now(): Date {
    return new Date(Date.now() + this.aheadMs);
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.setHeader("date", this.#now().toUTCString());
    request.on("error", () => {});
    response.on("error", () => {});
    const seen: SeenRequest = { operation: "", key: "", headers: new Map(), status: null };
    try {
      const reply = await this.#reply(request, response, seen);
      if (reply === null) return;
      seen.status = reply.reply.status;
      await sendReply(response, request.method ?? "", reply.reply, reply.fault);
    } catch (error) {
      const known =
        error instanceof S3Error
          ? error
          : new S3Error(500, "InternalError", `the test server failed: ${String(error)}`);
      seen.status = known.status;
      await sendReply(response, request.method ?? "", errorReply(known), null);
    }
  }

  /** Null where it is not to be answered. */
  async #reply(
    request: IncomingMessage,
    response: ServerResponse,
    seen: SeenRequest,
  ): Promise<{ reply: Reply; fault: Fault | null } | null> {
    const read = readRequest(request);
    const key = this.#keyOf(read);
    const operation = operationOf(read, key);
    Object.assign(seen, { operation: operation.name, key, headers: read.headers });
    this.requests.push(seen);
    const fault = this.#faults.next(operation.name);
    if (fault?.kind === "broken") request.socket.destroy();
    if (fault?.kind === "broken" || fault?.kind === "deaf") return null;
    const signed = this.#requireSigned(read, key);
    if (request.headers.expect !== undefined) response.writeContinue();
    this.onBody(1);
    const body = await bodyOf(request, read, fault).finally(() => this.onBody(-1));
    if (fault?.kind === "idle") return null;
    if (fault?.kind === "error") throw new S3Error(fault.status, fault.code, "on demand");
    if (fault?.kind === "error in 200")
      return { reply: errorReply(new S3Error(200, fault.code, "on demand")), fault };
    if (fault?.kind === "held") await fault.until;
    const payload = readPayload(body, read.headers);
    const query = new Map(read.query);
    if (fault?.kind === "ignores") query.delete(fault.parameter);
    const call: Call = {
      bucket: this.#bucket,
      pageSize: this.pageSize,
      bucketName: this.bucket,
      key,
      query,
      headers: read.headers,
      payload,
      signed,
      now: this.#now(),
    };
    const reply = operation.run(call);
    if (fault?.kind === "lost") request.socket.destroy();
    if (fault?.kind === "lost" || fault?.kind === "mute") return null;
    return { reply, fault };
  }

  /** By the host or by the path. Empty where the bucket itself is meant. */
  #keyOf({ headers, path }: SignedRequest): string {
    const host = headers.get("host") ?? "";
    const [first = "", ...rest] = path.slice(1).split("/");
    if (host.startsWith(`${this.bucket}.`)) return path.slice(1);
    if (first !== this.bucket) throw new S3Error(404, "NoSuchBucket", "The specified bucket does not exist");
    return rest.join("/");
  }

  #requireSigned(read: SignedRequest, key: string): boolean {
    if (verifySignature(read, this, this.#now().getTime()) !== "none") return true;
    const open = this.publicPrefixes.some((prefix) => key.startsWith(prefix));
    if (!open || !["GET", "HEAD"].includes(read.method))
      throw new S3Error(403, "AccessDenied", "Access Denied");
    return false;
  }
}
