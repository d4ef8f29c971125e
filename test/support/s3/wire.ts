import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { type Operation, type Reply, S3Error, xmlDocument } from "./call.ts";
import { multipartOperations, objectOperations } from "./operations.ts";
import type { SignedRequest } from "./signature.ts";

/** Ways in which a provider fails, on demand. */
export type FaultKind =
  /** Refuses with a status and a code, as told. */
  | { readonly kind: "error"; readonly status: number; readonly code: string }
  /** Breaks the connection, before it has done anything. */
  | { readonly kind: "broken" }
  /** Does it, and breaks the connection instead of answering. */
  | { readonly kind: "lost" }
  /** Reads no body and never answers. */
  | { readonly kind: "deaf" }
  /** Takes the body slowly, with a pause after each chunk. */
  | { readonly kind: "slow reader"; readonly pauseMs: number }
  /** Reads the body, and neither does it nor answers. */
  | { readonly kind: "idle" }
  /** Executes the request and answers once `until` is settled. */
  | { readonly kind: "held"; readonly until: Promise<unknown> }
  /** Does it, and never answers. */
  | { readonly kind: "mute" }
  /** Answers with an HTML page of another server, and status 200. */
  | { readonly kind: "page" }
  /** Does nothing, and answers with status 200 and an error as its body. */
  | { readonly kind: "error in 200"; readonly code: string }
  /** Does it as if it were asked without a parameter. */
  | { readonly kind: "ignores"; readonly parameter: string }
  /** Answers with a header that is not true, or leaves it out. */
  | { readonly kind: "header"; readonly name: string; readonly value: string | null };

export type Fault = FaultKind & {
  /** The names of operations. Absent: all. */
  readonly on?: readonly string[];
  /** How often. Absent: until it is mended. */
  readonly times?: number;
  /** How many it lets through first. */
  readonly after?: number;
};

/** What fails now. */
export class Faults {
  #faults: { readonly fault: Fault; left: number; skip: number }[] = [];

  add(fault: Fault): void {
    this.#faults.push({ fault, left: fault.times ?? Number.POSITIVE_INFINITY, skip: fault.after ?? 0 });
  }

  clear(): void {
    this.#faults = [];
  }

  /** What happens to the next request of an operation. */
  next(operation: string): Fault | null {
    const due = this.#faults.find(({ fault, left }) => left > 0 && (fault.on?.includes(operation) ?? true));
    if (due === undefined) return null;
    if (due.skip > 0) {
      due.skip -= 1;
      return null;
    }
    due.left -= 1;
    return due.fault;
  }
}

const operations: readonly Operation[] = [...multipartOperations, ...objectOperations];
/** Those that any request may have. */
const commonHeaders = /^x-amz-(?:date|content-sha256|user-agent|security-token|checksum-[a-z0-9]+|meta-.+)$/;
const signatureParameter =
  /^X-Amz-(?:Algorithm|Credential|Date|Expires|SignedHeaders|Signature|Security-Token|Content-Sha256)$/;

/** Takes a request apart, but for its body. Error: 400. */
export function readRequest({ method = "", url = "", rawHeaders }: IncomingMessage): SignedRequest {
  const headers = new Map<string, string>();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]?.toLowerCase() ?? "";
    const value = rawHeaders[index + 1] ?? "";
    headers.set(name, headers.has(name) ? `${headers.get(name)},${value}` : value);
  }
  const mark = url.indexOf("?");
  const [path, text] = mark < 0 ? [url, ""] : [url.slice(0, mark), url.slice(mark + 1)];
  const query = text
    .split("&")
    .filter((pair) => pair !== "")
    .map((pair) => {
      const equals = pair.indexOf("=");
      const [name, value] = equals < 0 ? [pair, ""] : [pair.slice(0, equals), pair.slice(equals + 1)];
      return [decoded(name), decoded(value)] as const;
    });
  return { method, path: decoded(path), query, headers };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new S3Error(400, "InvalidURI", "Couldn't parse the specified URI.");
  }
}

/** What is asked for. Error: 405, and 501 where it says more than is known here. */
export function operationOf({ method, query, headers }: SignedRequest, key: string): Operation {
  const names = query.map(([name]) => name);
  const operation = operations.find(
    ({ method: own, on, marks, header }) =>
      own === method &&
      (header === undefined || headers.has(header)) &&
      on === (key === "" ? "bucket" : "object") &&
      marks.every((mark) => names.includes(mark)),
  );
  if (operation === undefined)
    throw new S3Error(405, "MethodNotAllowed", "The specified method is not allowed against this resource.");
  const { name, marks, parameters = [], headers: own = [] } = operation;
  // biome-ignore format: one case a line
  const strange = [
    ...names.filter((one) => ![...marks, ...parameters, ...own, "x-id"].includes(one) && !signatureParameter.test(one)),
    ...[...headers.keys()].filter((one) => one.startsWith("x-amz-") && !own.includes(one) && !commonHeaders.test(one)),
    ...query.filter(([one, value]) => one === "x-id" && value !== name).map(([, value]) => `x-id=${value}`),
  ];
  if (strange.length > 0)
    throw new S3Error(501, "NotImplemented", `${name} knows no ${strange.join(", ")} here`);
  return operation;
}

/** Reads a body, which must be as long as it says. Error: 400, 411. */
export async function bodyOf(
  request: IncomingMessage,
  { headers, method }: SignedRequest,
  fault: Fault | null,
): Promise<Buffer> {
  const length = headers.get("content-length");
  if (["PUT", "POST"].includes(method) && length === undefined)
    throw new S3Error(411, "MissingContentLength", "You must provide the Content-Length HTTP header.");
  const chunks: Buffer[] = [];
  for await (const chunk of request) {
    chunks.push(chunk);
    if (fault?.kind === "slow reader") await pause(fault.pauseMs);
  }
  const body = Buffer.concat(chunks);
  if (length !== undefined && body.length !== Number(length))
    throw new S3Error(400, "IncompleteBody", "another length");
  return body;
}

/** An error as S3 writes it. */
export function errorReply({ status, code, message }: S3Error): Reply {
  // biome-ignore format: one case a line
  const body = xmlDocument(
    [
      "Error",
      [["Code", code], ["Message", message], ["RequestId", randomUUID()]],
    ],
    false,
  );
  return { status, headers: { "content-type": "application/xml" }, body: Buffer.from(body) };
}

/** Writes an answer, as far as a fault lets it. */
export async function sendReply(
  response: ServerResponse,
  method: string,
  reply: Reply,
  fault: Fault | null,
): Promise<void> {
  const { status, headers = {}, body = Buffer.alloc(0) } = changed(reply, fault);
  const length = status === 204 || status === 304 ? {} : { "content-length": body.length };
  response.writeHead(status, { ...headers, ...length, "x-amz-request-id": randomUUID() });
  if (method === "HEAD") return void response.end();
  response.end(body);
}

/** What a fault makes of an answer. */
function changed(reply: Reply, fault: Fault | null): Reply {
  const { headers = {} } = reply;
  switch (fault?.kind) {
    case "page":
      return {
        status: 200,
        headers: { "content-type": "text/html" },
        body: Buffer.from("<html><body>Sign in to the network</body></html>"),
      };
    case "header": {
      const rest = Object.fromEntries(Object.entries(headers).filter(([name]) => name !== fault.name));
      return { ...reply, headers: fault.value === null ? rest : { ...rest, [fault.name]: fault.value } };
    }
    default:
      return reply;
  }
}
