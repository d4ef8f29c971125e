export { type Document, documentOf, member, parseJson, scalar } from "./document.ts";
export { Outbound, type OutboundAnswer, type OutboundCall, type OutboundOptions } from "./outbound.ts";
