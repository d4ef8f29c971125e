import type { IncomingMessage } from "node:http";
import { isJsonObject } from "../../../vocabulary/json.ts";
import { type Problem, refuseProblems } from "../../core/errors/index.ts";
import { readDoublesBody, readQueryString, readRawBody } from "../../core/http/index.ts";
import { type Check, compileCodeSchema } from "../../models/validation/index.ts";
import { bareCopy } from "./bare-copy.ts";
import type { OwnRoute, RouteInput } from "./define-route.ts";
import { textReader } from "./read-texts.ts";

/** What a request brings for a route. */
export interface SentInput {
  readonly request: IncomingMessage;
  /** What stands for the names in the path. */
  readonly params: readonly (readonly [name: string, text: string])[];
  readonly query: string;
  readonly bodyLimitBytes: number;
}

/** Reads what a route is sent, and checks it. Errors: 400 `VALIDATION_ERROR`, 413 and 415 `HTTP_ERROR`. */
export type InputReader = (sent: SentInput) => Promise<RouteInput>;

const nothing = { type: "object" };

/** The reader of what a route is sent; `names` are those in its path. Throws an Error that says which of its schemas is none. */
export function inputReader(route: OwnRoute, names: readonly string[]): InputReader {
  const { params = textsOf(names), query = nothing } = route;
  requireNames(params, names);
  const [readParams, checkParams] = [textReader(params), checkOf("params", params)];
  const [readQuery, checkQuery] = [textReader(query), checkOf("query", query)];
  const { readBody, checkBody } = bodyOf(route);
  return async (sent) => {
    const problems: Problem[] = [];
    const params = readParams(sent.params);
    const query = readQuery(readQueryString(sent.query, problems));
    const body = await readBody(sent);
    const odd = new Set(problems.map(({ field }) => field));
    problems.push(...checkQuery(query).filter(({ field }) => !odd.has(field)));
    refuseProblems([...checkParams(params), ...problems, ...checkBody(body)]);
    return { params, query, body, headers: headersOf(sent.request) };
  };
}

/** None that comes in a list is one that requests have. */
function headersOf({ headers }: IncomingMessage): RouteInput["headers"] {
  const bare: Record<string, string> = Object.create(null);
  for (const [name, value] of Object.entries(headers)) if (typeof value === "string") bare[name] = value;
  return bare;
}

interface BodyOf {
  readonly readBody: (sent: SentInput) => Promise<unknown>;
  readonly checkBody: Check;
}

/** Bytes, an object, or nothing. */
function bodyOf({ raw = false, body }: OwnRoute): BodyOf {
  if (raw)
    return {
      readBody: ({ request, bodyLimitBytes }) => readRawBody(request, bodyLimitBytes),
      checkBody: () => [],
    };
  const readBody = async ({ request, bodyLimitBytes }: SentInput) =>
    bareCopy(await readDoublesBody(request, bodyLimitBytes));
  const check = checkOf("body", body ?? nothing);
  if (body === undefined) return { readBody, checkBody: (sent) => check(sent ?? {}) };
  return { readBody: async (sent) => (await readBody(sent)) ?? {}, checkBody: check };
}

function textsOf(names: readonly string[]): object {
  return {
    type: "object",
    properties: Object.fromEntries(names.map((name) => [name, { type: "string" }])),
  };
}

/** Names that the path does not have would never come, and others could not be told from unknown ones. */
function requireNames(params: object, names: readonly string[]): void {
  const properties: unknown = Reflect.get(params, "properties");
  const declared = isJsonObject(properties) ? Object.keys(properties) : [];
  const odd = [
    ...declared.filter((name) => !names.includes(name)),
    ...names.filter((name) => !declared.includes(name)),
  ];
  if (odd.length > 0)
    throw new Error(`params: the names in the path and those of the schema differ: ${odd.join(", ")}`);
}

function checkOf(part: string, schema: object): Check {
  try {
    return compileCodeSchema(schema);
  } catch (error) {
    throw new Error(`${part}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
