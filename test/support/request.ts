import { Agent, type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from "node:http";
import { connect } from "node:net";
import type { Json } from "#vocabulary/json";

/** A request as it goes over the wire: nothing is encoded, corrected or added but `Content-Type` for JSON bodies. */
export interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers?: OutgoingHttpHeaders | undefined;
  /** JSON, or a text or bytes as they are. */
  readonly body?: Json | Buffer | undefined;
  /** The address of this machine that it comes from; default the system's choice. */
  readonly from?: string | undefined;
  /** Sends the body in chunks, without `Content-Length`. */
  readonly chunked?: boolean;
}

/** A request in one line: `POST /auth/login`, with its body. */
export function requestOf(line: string, body?: Sent["body"]): Sent {
  const space = line.indexOf(" ");
  return { method: line.slice(0, space), path: line.slice(space + 1), ...(body !== undefined && { body }) };
}

/** The envelope of an answer, as far as it is there. */
export interface Envelope {
  readonly statusCode: number;
  readonly status: string;
  readonly message: string;
  readonly data: Json;
  readonly error?: string;
  readonly details?: { readonly [key: string]: Json };
  readonly pagination?: { readonly [key: string]: Json };
}

export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The parsed body. Throws where it is no JSON. */
  readonly envelope: Envelope;
}

const agent = new Agent({ keepAlive: true });

/** Sends one request and reads the whole answer. */
export function sendRequest(origin: string, sent: Sent): Promise<Reply> {
  const { method, path, body, chunked = false } = sent;
  const isRaw = body === undefined || typeof body === "string" || Buffer.isBuffer(body);
  const payload = isRaw ? body : JSON.stringify(body);
  const headers: OutgoingHttpHeaders = {
    ...(!isRaw && { "content-type": "application/json" }),
    ...(payload !== undefined && !chunked && { "content-length": Buffer.byteLength(payload) }),
    ...(chunked && { "transfer-encoding": "chunked" }),
    ...sent.headers,
  };
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    const target = { hostname, port, agent, method, path, headers, localAddress: sent.from };
    const outgoing = request(target, (response) => {
      const parts: Buffer[] = [];
      response.on("data", (part: Buffer) => parts.push(part));
      response.on("error", reject);
      response.on("end", () => {
        const text = Buffer.concat(parts).toString("utf8");
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text,
          get envelope(): Envelope {
            return JSON.parse(text);
          },
        });
      });
    });
    outgoing.on("error", reject);
    outgoing.end(payload);
  });
}

export interface RawReply {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

/** Sends bytes as they are, and gives every answer that comes until the server hangs up. `cut` ends our side at once. */
export function sendRaw(port: number, bytes: string | Buffer, cut = false): Promise<RawReply[]> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
    const chunks: Buffer[] = [];
    socket.on("data", (chunk) => chunks.push(chunk));
    socket.on("error", (error: Error & { code?: string }) => {
      if (error.code !== "ECONNRESET" && error.code !== "EPIPE") reject(error);
    });
    socket.on("end", () => socket.end());
    socket.on("close", () => resolve(split(Buffer.concat(chunks).toString("latin1"))));
    if (cut) socket.end(bytes);
    else socket.write(bytes);
  });
}

function split(text: string): RawReply[] {
  const replies: RawReply[] = [];
  let rest = text;
  while (rest !== "") {
    const end = rest.indexOf("\r\n\r\n");
    const head = rest.slice(0, end === -1 ? undefined : end);
    const length = Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0);
    const interim = / 1\d\d /.test(head.slice(8, 13));
    const start = end === -1 ? rest.length : end + 4;
    if (!interim) {
      const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0);
      replies.push({ status, head, body: rest.slice(start, start + length) });
    }
    rest = rest.slice(start + length);
  }
  return replies;
}
