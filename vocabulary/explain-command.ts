import { isJsonObject, type JsonObject } from "./json.ts";
import {
  listParameters,
  type Operation,
  pageParameters,
  readOperations,
  searchParameters,
} from "./operations.ts";

/** A refused request of a model route. */
export interface RefusedRequest {
  readonly model: string;
  readonly operation: Operation;
  /** The id of the caller; null for a guest. */
  readonly user: string | null;
  readonly parameters: ReadonlyMap<string, string>;
  readonly body: JsonObject | undefined;
  /** Fields whose values the command must not hold. */
  readonly passwords: ReadonlySet<string>;
}

/** A longer record is left out. */
const longestValue = 2_000;

const parameterNames: ReadonlySet<string> = new Set([
  ...listParameters,
  ...searchParameters,
  ...pageParameters,
]);

/** The command line that explains a refused request, quoted for a POSIX shell. It holds no passwords. */
export function explainCommand({
  model,
  operation,
  user,
  parameters,
  body,
  passwords,
}: RefusedRequest): string {
  const isRead = readOperations.some((one) => one === operation);
  const [filters, query] = isRead || body === undefined ? splitParameters(parameters) : [rowsOf(body), {}];
  const data = body?.["data"];
  const flags = [
    ["as", user === null ? "guest" : `user:${user}`],
    ...rowFlags(without(filters, passwords)),
    ...(Object.keys(query).length > 0 ? [["query", JSON.stringify(query)]] : []),
    ...(isJsonObject(data) ? [["data", JSON.stringify(without(data, passwords))]] : []),
  ];
  const short = flags.filter(([, value = ""]) => value.length <= longestValue);
  // After a blank, yargs takes a value that begins with a dash for a flag.
  const words = short.map(
    ([name, value = ""]) => `--${name}${value.startsWith("-") ? "=" : " "}${shellWord(value)}`,
  );
  return [`npx kirak explain ${model}.${operation}`, ...words].join(" ");
}

/** A text as one word of a shell command. */
export function shellWord(text: string): string {
  return /^[A-Za-z0-9_.:/-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** The filters of a query string, and its other parameters. */
function splitParameters(parameters: ReadonlyMap<string, string>): readonly [JsonObject, JsonObject] {
  const entries = [...parameters].map(
    ([name, value]) => [/^where\[(.+)\]$/s.exec(name)?.[1] ?? name, value] as const,
  );
  const isParameter = ([name]: readonly [string, string]) => parameterNames.has(name);
  return [
    Object.fromEntries(entries.filter((entry) => !isParameter(entry))),
    Object.fromEntries(entries.filter(isParameter)),
  ];
}

function rowsOf({ where, query, ids }: JsonObject): JsonObject {
  if (Array.isArray(ids)) return ids.length === 1 ? { id: ids[0] } : { id__in: ids };
  return [where, query].find(isJsonObject) ?? {};
}

function rowFlags(filters: JsonObject): string[][] {
  const [[name, value] = [], ...others] = Object.entries(filters);
  if (name === undefined) return [];
  const isId =
    name === "id" && others.length === 0 && (typeof value === "string" || typeof value === "number");
  return isId ? [["id", String(value)]] : [["where", JSON.stringify(filters)]];
}

function without(data: JsonObject, names: ReadonlySet<string>): JsonObject {
  // Names of filters end in operators: `secret__eq`.
  const isSecret = (name: string) => [...names].some((one) => name === one || name.startsWith(`${one}__`));
  return Object.fromEntries(Object.entries(data).filter(([name]) => !isSecret(name)));
}
