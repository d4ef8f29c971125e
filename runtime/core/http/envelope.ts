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

/** How answers are written. Status and headers are the same in each form. */
export interface AnswerForm {
  readonly contentType: string;
  /** The body of a success. */
  readonly answerText: (answer: Answer) => string;
  /** The body of a failure. Throws when its details are no JSON. */
  readonly errorText: (error: ServiceError) => string;
}

/** The form of every request, unless its route has one of its own for callers who name that media type. */
export const envelope: AnswerForm = {
  contentType: "application/json; charset=utf-8",
  answerText,
  errorText,
};

/** Answers a success in the request's form. `Content-Length` is known, so nothing is chunked. */
export function sendAnswer(response: Response, answer: Answer): void {
  const { form, trace } = response.req.context;
  const step = trace.resume("serialize");
  sendBody(response, 200, form.contentType, form.answerText(answer));
  trace.end(step);
}

/** Answers a failure in the request's form, with the headers that the error asks for. Throws when its details are no JSON. */
export function sendError(response: Response, error: ServiceError): void {
  const { context } = response.req;
  context.errorCode = error.code;
  context.errorMessage = error.message;
  for (const [name, value] of Object.entries(error.headers)) response.setHeader(name, value);
  sendBody(response, error.status, context.form.contentType, context.form.errorText(error));
}

function answerText({ message, data, pagination }: Answer): string {
  const page = pagination === undefined ? "" : `,"pagination":${JSON.stringify(pagination)}`;
  return `{"statusCode":200,"status":"success","message":${JSON.stringify(message)},"data":${data}${page}}`;
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

/** A longer text is turned into bytes at once: while it waits to be taken, node:http would hold it twice. */
const longestText = 65_536;

/** Answers with a whole body. `Content-Length` is known, so nothing is chunked. */
export function sendBody(
  response: Response,
  status: number,
  contentType: string,
  content: string | Uint8Array,
): void {
  const isLong = typeof content === "string" && content.length > longestText;
  const body = isLong ? Buffer.from(content) : content;
  const bytes = Buffer.byteLength(body);
  response.req.context.sentBytes = bytes;
  response.statusCode = status;
  response.setHeader("Content-Type", contentType);
  response.setHeader("Content-Length", bytes);
  response.end(body);
}
