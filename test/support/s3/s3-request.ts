import type { IncomingMessage } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import type { Fault } from "./faults.ts";
import { multipartOperations } from "./multipart-operations.ts";
import { objectOperations } from "./object-operations.ts";
import type { Operation } from "./operation.ts";
import { S3Error } from "./s3-error.ts";
import type { SignedRequest } from "./signature.ts";

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
    ({ method: own, on, marks }) =>
      own === method &&
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
    throw new S3Error(
      400,
      "IncompleteBody",
      "You did not provide the number of bytes specified by the Content-Length HTTP header",
    );
  return body;
}
