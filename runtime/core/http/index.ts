// Reading requests and sending responses, middleware, and the server.
export {
  allowOnlyGet,
  answerError,
  answerErrors,
  type CursorPagination,
  compose,
  envelope,
  methodNotAllowed,
  type OffsetPagination,
  onPaths,
  type ResponseFormat,
  routeNotFound,
  type SuccessResponse,
  sendBody,
  sendSuccess,
  serviceErrorOf,
  type Total,
  varyBy,
} from "./answer.ts";
export {
  hasBody,
  readDoublesBody,
  readFormBody,
  readJsonBody,
  readRawBody,
  refuseRounded,
  withDoubles,
} from "./body.ts";
export { type ClientAddress, clientAddressReader, networkOf } from "./client-address.ts";
export { createHttpServer, latestResponse, limitFinishedResponses } from "./connection.ts";
export {
  addDocumentHeaders,
  credentialedOrigins,
  crossOrigin,
  requireHttp1,
  securityHeaders,
} from "./headers.ts";
export { type Lifecycle, probes } from "./health.ts";
export { type KeptContent, keptContent, sendKept } from "./kept-content.ts";
export { refuseOverload } from "./overload.ts";
export { type RequestContext, type RequestRecorder, requestContext } from "./request-context.ts";
export { requestSpans } from "./request-span.ts";
export { dispositionOf, sendContent } from "./send-content.ts";
export {
  decodePart,
  decodeSegments,
  isPreferred,
  readQueryString,
  requireDecodable,
  splitUrl,
} from "./url.ts";
