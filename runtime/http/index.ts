export type { Answer, Pagination } from "./envelope.ts";
export { type ErrorCode, type ErrorOptions, errorCodes, type Problem, ServiceError } from "./errors.ts";
export { createHttpServer } from "./http-server.ts";
