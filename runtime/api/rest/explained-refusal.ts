import { guestRole } from "../../../vocabulary/accounts/role-names.ts";
import { isJsonObject, type JsonObject } from "../../../vocabulary/json.ts";
import {
  listParameters,
  type Operation,
  pageParameters,
  readOperations,
  searchParameters,
} from "../../../vocabulary/operations.ts";
import { shellWord } from "../../../vocabulary/shell-word.ts";
import type { Queryable } from "../../core/database/index.ts";
import { ServiceError } from "../../core/errors/index.ts";
import type { Principal } from "../../models/access/index.ts";
import { columnsOf, type Model } from "../../models/index.ts";
import { readParameters } from "./input.ts";

interface RefusedCall {
  readonly model: Model;
  readonly operation: Operation;
  readonly principal: Principal;
  readonly query: string;
  /** Undefined if the request was refused before it was read. */
  readonly body: JsonObject | undefined;
}

/** A 403 with the command that explains it as `details.explain`; other errors unchanged. */
export async function explainedRefusal(
  thrown: unknown,
  { model, principal, query, ...sent }: RefusedCall,
  database: Pick<Queryable, "run">,
): Promise<unknown> {
  if (!(thrown instanceof ServiceError) || thrown.code !== "PERMISSION_DENIED") return thrown;
  const columns = [...columnsOf(model).values()];
  const passwords = new Set(columns.filter(({ kind }) => kind === "password").map(({ name }) => name));
  const as = await nameOf(principal, database);
  const parameters = readParameters(query, []);
  const explain = explainCommand({ ...sent, model: model.key, as, parameters, passwords });
  const { code, message, details, status, headers, cause } = thrown;
  return new ServiceError(code, message, { ...details, explain }, { status, headers, cause });
}

/** The caller for `--as`. A development token can have a role that its account lacks, or no account. */
async function nameOf({ user_id, role }: Principal, database: Pick<Queryable, "run">): Promise<string> {
  if (user_id === null) return guestRole;
  const text = "select 1 from users where id::text = $1 and role = $2";
  const found = await database.run({ name: null, text }, [user_id, role]).catch(() => []);
  return found.length > 0 ? `user:${user_id}` : role;
}

/** A refused request of a model route. */
interface RefusedRequest {
  readonly model: string;
  readonly operation: Operation;
  /** `guest`, a role or `user:<id>`. */
  readonly as: string;
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
  as,
  parameters,
  body,
  passwords,
}: RefusedRequest): string {
  const isRead = readOperations.some((one) => one === operation);
  const [filters, query] = isRead || body === undefined ? splitParameters(parameters) : [rowsOf(body), {}];
  const data = body?.["data"];
  const flags = [
    ["as", as],
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
