import { isJsonObject, type JsonObject } from "../../../vocabulary/json.ts";
import { type Problem, refuseProblems } from "../../core/errors/index.ts";

/** A GraphQL request as its body holds it (contract: "GraphQL"; decisions, part 6). */
export interface GraphqlBody {
  readonly query: string;
  readonly variables: JsonObject;
  /** Null where the body names none. */
  readonly operationName: string | null;
}

/** `extensions` is what clients send along for servers that know what to do with it. */
const knownKeys: ReadonlySet<string> = new Set(["query", "variables", "operationName", "extensions"]);

const none: JsonObject = Object.freeze({});

/** Reads the body of a request. Errors: 400 `VALIDATION_ERROR` with the key as `details.field`. */
export function readGraphqlBody(body: JsonObject = none): GraphqlBody {
  const problems: Problem[] = [];
  for (const key of Object.keys(body))
    if (!knownKeys.has(key))
      problems.push({ field: key, message: `is not one of ${[...knownKeys].join(", ")}` });
  const request = {
    query: readQuery(body["query"], problems),
    variables: readVariables(body["variables"], problems),
    operationName: readOperationName(body["operationName"], problems),
  };
  refuseProblems(problems);
  return request;
}

function readQuery(value: unknown, problems: Problem[]): string {
  if (typeof value === "string" && value !== "") return value;
  problems.push({
    field: "query",
    message: value === undefined ? "is required" : "must be a text that is not empty",
  });
  return "";
}

function readVariables(value: unknown, problems: Problem[]): JsonObject {
  if (isJsonObject(value)) return value;
  if (value !== undefined && value !== null)
    problems.push({ field: "variables", message: "must be an object" });
  return none;
}

function readOperationName(value: unknown, problems: Problem[]): string | null {
  if (value === undefined || value === null || value === "") return null;
  if (typeof value === "string") return value;
  problems.push({ field: "operationName", message: "must be a text" });
  return null;
}
