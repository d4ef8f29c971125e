export type { Answer, Pagination } from "./envelope.ts";
export { createHttpServer } from "./http-server.ts";
