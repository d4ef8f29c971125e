import { Agent, type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from "node:http";
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
