// For who has routes: what a request says, and how it is answered.
export { isPreferred } from "./accept.ts";
// For who puts routes together: what stands around all of them, and the server below.
export { answerErrors } from "./answer-errors.ts";
export { hasBody, readDoublesBody, readFormBody, readJsonBody, readRawBody } from "./body.ts";
export { boundAnswers } from "./bounded-answers.ts";
export { type ClientAddress, clientAddressReader, networkOf } from "./client-address.ts";
export { credentialedOrigins, crossOrigin } from "./cross-origin.ts";
export { dispositionOf } from "./disposition.ts";
export { type Answer, type AnswerForm, envelope, type Pagination, sendAnswer, sendBody } from "./envelope.ts";
export { answerError, getOnly, methodNotAllowed, routeNotFound } from "./handlers.ts";
export { type Lifecycle, probes } from "./health.ts";
export { createHttpServer } from "./http-server.ts";
export { requireHttp1 } from "./http1.ts";
export { inOrder, onPaths } from "./in-order.ts";
export { latestAnswer } from "./in-turn.ts";
export { refuseOverload } from "./overload.ts";
export { readQueryString } from "./query-string.ts";
export { type RequestContext, type RequestRecorder, requestContext } from "./request-context.ts";
export { addDocumentHeaders, securityHeaders } from "./security-headers.ts";
export { sendContent } from "./send-content.ts";
export { decodePart, decodeSegments, requireDecodable, splitUrl } from "./url.ts";
export { varyBy } from "./vary-by.ts";
