import type { Response } from "express";
import type { ServiceError } from "../errors/index.ts";

/** Present in an answer only when the request passed `page` or `offset` (contract: "Response envelope"). */
export interface Pagination {
  readonly limit: number;
  readonly page: number;
  readonly offset: number;
  readonly total: number;
  readonly total_pages: number;
  readonly has_more: boolean;
}

/** What a route answers: a message for people and the payload, already JSON text. */
export interface Answer {
  readonly message: string;
  readonly data: string;
  readonly pagination?: Pagination;
}

/** Sends the success envelope. `Content-Length` is known, so nothing is chunked. */
export function sendAnswer(response: Response, answer: Answer): void {
  const pagination =
    answer.pagination === undefined ? "" : `,"pagination":${JSON.stringify(answer.pagination)}`;
  send(
    response,
    200,
    `{"statusCode":200,"status":"success","message":${JSON.stringify(answer.message)},"data":${answer.data}${pagination}}`,
  );
}

/** Sends the error envelope, with the headers that the error asks for. Throws when its details are no JSON. */
export function sendError(response: Response, error: ServiceError): void {
  response.req.context.errorCode = error.code;
  for (const [name, value] of Object.entries(error.headers)) response.setHeader(name, value);
  send(response, error.status, errorText(error));
}

/** The error envelope as JSON text. */
export function errorText(error: ServiceError): string {
  return JSON.stringify({
    statusCode: error.status,
    status: "error",
    error: error.code,
    message: error.message,
    data: null,
    details: error.details,
  });
}

function send(response: Response, status: number, body: string): void {
  response.statusCode = status;
  response.setHeader("Content-Type", "application/json; charset=utf-8");
  response.setHeader("Content-Length", Buffer.byteLength(body));
  response.end(body);
}
