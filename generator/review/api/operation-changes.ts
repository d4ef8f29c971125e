import { coversRole, guestRole } from "../../../vocabulary/accounts/role-names.ts";
import { isJsonObject, type JsonObject } from "../../../vocabulary/json.ts";
import { rolePhrase } from "../access/access-text.ts";
import { type ApiOperation, type ApiSide, listIn, objectIn, routeLabel, textIn } from "./api-side.ts";
import type { ApiFinding } from "./findings.ts";
import { roleOf, type Sides } from "./note-changes.ts";

/** The operations that both sides have, by their place, or by their operationId. */
export function pairedOperations({ was, is }: Sides<ApiSide>): Sides<ApiOperation>[] {
  const by = (name: (operation: ApiOperation) => string) =>
    new Map(is.operations.map((operation) => [name(operation), operation]));
  const [byPlace, byId] = [by(placeOf), by(({ id }) => id)];
  return was.operations.flatMap((operation) => {
    const now =
      byPlace.get(placeOf(operation)) ?? (operation.model === null ? byId.get(operation.id) : undefined);
    return now === undefined ? [] : [{ was: operation, is: now }];
  });
}

/** The model and its operation, or the route. */
function placeOf(operation: ApiOperation): string {
  return operation.model === null ? routeOf(operation) : operation.label;
}

/** The route without the names of its parameters. */
function routeOf(operation: ApiOperation): string {
  return routeLabel(operation).replace(/:\w+/g, ":");
}

/** The operations that are gone. If none of a tag is left, one finding has all of them. */
export function removedOperations(
  { was, is }: Sides<ApiSide>,
  kept: readonly Sides<ApiOperation>[],
): ApiFinding[] {
  const known = new Set(kept.map((pair) => pair.was));
  const left = new Set(is.operations.map(({ tag, model }) => model?.key ?? tag));
  return was.operations.flatMap((operation): ApiFinding[] => {
    if (known.has(operation)) return [];
    const { label, tag, model } = operation;
    const isWhole = !left.has(model?.key ?? tag) && (model !== null || tag !== "routes");
    if (isWhole) {
      const subject = model?.ownKey ?? `all of ${tag}`;
      return [{ kind: "model", subject, what: "is gone", by: "its callers get 403 or 404" }];
    }
    const [what, by] =
      model === null
        ? ["is gone", "its callers get 404 or 405"]
        : ["is not open to anyone any more", "its callers get 403"];
    return [{ kind: "operation", subject: label, what, by }];
  });
}

/** The changes of an operation itself. `knowsRows`: its conditions are compared elsewhere. */
export function operationChanges(
  pair: Sides<ApiOperation>,
  api: Sides<ApiSide>,
  knowsRows: boolean,
): ApiFinding[] {
  return [...moved(pair), ...accessChanges(pair, knowsRows), ...credentialChanges(pair, api)];
}

function moved({ was, is }: Sides<ApiOperation>): ApiFinding[] {
  const found: ApiFinding[] = [];
  const [former, now] = [was.path.split("/"), is.path.split("/")];
  const by = "callers of the old path get 404 or 405";
  if (routeOf(was) !== routeOf(is)) {
    const isBelow = was.method === is.method && former.at(-1) === now.at(-1);
    while (isBelow && former.at(-1) === now.at(-1)) [former.pop(), now.pop()];
    const [from, to] = [former, now].map((parts) => parts.join("/") || "/");
    // One line for all operations below a prefix.
    if (isBelow)
      found.push({ kind: "other", subject: `the paths below ${from}`, what: `are below ${to} now`, by });
    else found.push({ kind: "other", subject: routeLabel(was), what: `is ${routeLabel(is)} now`, by });
  }
  if (is.model === null && was.id !== is.id) {
    const what = `has the operationId ${is.id}; before: ${was.id}`;
    found.push({ kind: "other", subject: is.label, what, by: "anyone who uses a generated client" });
  }
  return found;
}

/** Roles that are gone. If conditions cannot be compared, it only says that the rows are others. */
function accessChanges({ was, is }: Sides<ApiOperation>, knowsRows: boolean): ApiFinding[] {
  const now = is.content["x-kirak-access"];
  if (!Array.isArray(now)) return [];
  return listIn(was.content, "x-kirak-access").flatMap((entry): ApiFinding[] => {
    const { part = "", rows = null }: JsonObject = isJsonObject(entry) ? entry : {};
    const role = roleOf(entry);
    const holders = now.filter(isJsonObject).filter((each) => coversRole(roleOf(each), role));
    // A rule of upsert itself opens both parts.
    const parts = part === "" && holders.some((each) => each["part"] !== undefined) ? upsertParts : [part];
    return parts.flatMap((each): ApiFinding[] => {
      const ofPart = holders.filter(({ part: other = each }) => other === each);
      const subject = each === "" ? is.label : `${is.label}:${each}`;
      const lost = `is not open to ${rolePhrase(role)} any more`;
      if (ofPart.length === 0) return [{ kind: "access", subject, what: lost, by: "they get 401 or 403" }];
      if (knowsRows || ofPart.some((other) => [null, rows].includes(other["rows"] ?? null))) return [];
      const what = `opens other rows to ${rolePhrase(role)}; before: ${rows ?? "all rows"}`;
      return [{ kind: "access", subject, what, by: "rows can be missing or refused" }];
    });
  });
}

const upsertParts = ["insert", "update"];

/** Credentials that are needed now, or not taken any more. */
function credentialChanges({ was, is }: Sides<ApiOperation>, api: Sides<ApiSide>): ApiFinding[] {
  const [former, now] = [credentialsOf(was, api.was), credentialsOf(is, api.is)];
  const isOpen = (names: readonly string[]) => names.length === 0 || names.includes("");
  const admits = ({ content }: ApiOperation) =>
    listIn(content, "x-kirak-access").some((entry) => coversRole(roleOf(entry), guestRole));
  const found = (what: string, by: string): ApiFinding => ({
    kind: "credential",
    subject: is.label,
    what,
    by,
  });
  // If guests are not admitted any more, that is reported.
  if (now.length === 0 || (admits(was) && !admits(is))) return [];
  if (isOpen(former) && !isOpen(now)) return [found("needs a credential now", "callers without one get 401")];
  return former
    .filter((name) => name !== "" && !now.includes(name))
    .map((name) => found(`takes no ${name} any more`, "callers who send one"));
}

const schemeNames: Readonly<Record<string, string>> = {
  bearer: "access token",
  apiKey: "API key",
  ingestionKey: "ingestion key",
};

/** The names of the credentials that an operation takes. Empty for none. */
function credentialsOf({ content }: ApiOperation, { resolve }: ApiSide): string[] {
  return listIn(content, "security").flatMap((each) => {
    const names = isJsonObject(each) ? Object.keys(each) : [];
    const named = (name: string) => textIn(resolve({ $ref: `#/components/securitySchemes/${name}` }), "name");
    return names.length === 0 ? [""] : names.map((name) => schemeNames[name] ?? `${name} ${named(name)}`);
  });
}

/** What an operation takes, as one schema: its parameters and its body. */
export function requestSchema({ content }: ApiOperation, api: ApiSide): JsonObject {
  const parameters = listIn(content, "parameters").map(api.resolve);
  const body = api.resolve(content["requestBody"]);
  const bodies = contentsOf("body", body);
  const names = parameters.filter(({ required }) => required === true).map(({ name }) => `parameter ${name}`);
  return {
    properties: {
      ...Object.fromEntries(parameters.map(({ name, schema = {} }) => [`parameter ${name}`, schema])),
      ...bodies,
    },
    // A body of several types can be of any of them.
    required: [...names, ...(body["required"] === true && "body" in bodies ? ["body"] : [])],
  };
}

/** What an operation answers, as one schema. */
export function answerSchema({ content }: ApiOperation, api: ApiSide): JsonObject {
  const answers = Object.entries(objectIn(content, "responses")).filter(([status]) => /^[23]/.test(status));
  return {
    properties: Object.assign({}, ...answers.map(([, each]) => contentsOf("answer", api.resolve(each)))),
  };
}

/** Schemas by content type. JSON, and content that is passed as bytes, have no type in their names. */
function contentsOf(name: string, content: JsonObject): JsonObject {
  const entries = Object.entries(objectIn(content, "content")).map(([type, each]) => {
    const isUsual = type === "application/json" || type === "*/*";
    return [isUsual ? name : `${name} ${type}`, isJsonObject(each) ? (each["schema"] ?? {}) : {}];
  });
  return Object.fromEntries(entries);
}

/** The app's error codes that are gone, or have another status. `builtIn` are those of Kirak. */
export function errorChanges(
  { was, is }: Sides<ApiSide>,
  builtIn: { has(code: string): boolean },
): ApiFinding[] {
  const now = errorsOf(is);
  return [...errorsOf(was)].flatMap(([code, status]): ApiFinding[] => {
    const current = now.get(code);
    if (builtIn.has(code) || current === status) return [];
    const subject = `the error ${code}`;
    if (current === undefined)
      return [{ kind: "other", subject, what: "is gone", by: "callers who check its code" }];
    const what = `has status ${current}; before: ${status}`;
    return [{ kind: "other", subject, what, by: "callers who check the status" }];
  });
}

/** The codes of responses, with their statuses. */
function errorsOf({ responses }: ApiSide): Map<string, unknown> {
  return new Map(
    Object.values(responses).flatMap((response) => {
      const content = isJsonObject(response) ? contentsOf("answer", response) : {};
      const { statusCode, error } = objectIn(objectIn(content, "answer"), "properties");
      const codes = isJsonObject(error) ? listIn(error, "enum") : [];
      return codes.map((code) => [String(code), isJsonObject(statusCode) && statusCode["const"]] as const);
    }),
  );
}
