import type { GraphQLError } from "graphql";
import { invalid, ServiceError } from "../../../core/errors/index.ts";

/** Messages of graphql-js quote the text that was sent, at any length. */
const longestMessage = 200;

/** 400 `VALIDATION_ERROR` over a part of the body: `query`, `operationName` or a variable. */
export function refuse(field: string, message: string): ServiceError {
  return invalid([{ field, message }]);
}

/** The same for an error of graphql-js, with its place in the text where that is known. */
export function refuseText({ message, locations }: GraphQLError): ServiceError {
  const [place] = locations ?? [];
  const short = message.length > longestMessage ? `${message.slice(0, longestMessage)}…` : message;
  const where = place === undefined ? "" : ` (line ${place.line}, column ${place.column})`;
  return refuse("query", `${short.toWellFormed()}${where}`);
}

/** 403 `PERMISSION_DENIED`: the contract allows introspection nowhere and to nobody. */
export function refuseIntrospection(): ServiceError {
  return new ServiceError("PERMISSION_DENIED", "Introspection is not available.");
}
