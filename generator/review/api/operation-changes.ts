import { isDeepStrictEqual } from "node:util";
import { coversRole, guestRole } from "../../../vocabulary/accounts/role-names.ts";
import { isJsonObject, type JsonObject } from "../../../vocabulary/json.ts";
import { rolePhrase } from "../access/access-text.ts";
import { type ApiOperation, type ApiSide, listIn, objectIn, referenceOf, textIn } from "./api-side.ts";
import type { SchemaComparer } from "./compare-schemas.ts";
import type { Finding } from "./findings.ts";
import { type ApiPair, roleOf, type Sides } from "./note-changes.ts";
import type { Place } from "./value-changes.ts";

/** The operations that both sides have. */
export function pairedOperations(was: ApiSide, is: ApiSide): Sides<ApiOperation>[] {
  const by = (name: (operation: ApiOperation) => string) =>
    new Map(is.operations.map((operation) => [name(operation), operation]));
  const [byLabel, byRoute, byId] = [by(({ label }) => label), by(routeOf), by(({ id }) => id)];
  return was.operations.flatMap((operation) => {
    const now =
      operation.model === null
        ? (byRoute.get(routeOf(operation)) ?? byId.get(operation.id))
        : byLabel.get(operation.label);
    return now === undefined ? [] : [{ was: operation, is: now }];
  });
}

/** The method and the path, without the names of parameters. */
function routeOf({ method, path }: ApiOperation): string {
  return `${method} ${path.replace(/\{[^/}]*\}/g, "{}")}`;
}

/** The operations that are gone. If none of a tag is left, one finding has all of them. */
export function removedOperations(
  was: ApiSide,
  is: ApiSide,
  kept: readonly Sides<ApiOperation>[],
): Finding[] {
  const known = new Set(kept.map((pair) => pair.was));
  const left = new Set(kept.map((pair) => pair.was.tag));
  return was.operations.flatMap((operation): Finding[] => {
    if (known.has(operation)) return [];
    const { label, tag, model } = operation;
    const isReached = model !== null && is.models.has(model.key);
    if (isReached)
      return [
        {
          kind: "operation",
          subject: label,
          what: "is not open to anyone any more",
          by: "its callers get 403",
        },
      ];
    const by = "its callers get 403, 404 or 405";
    const isOnly = was.operations.filter((each) => each.tag === tag).length === 1;
    if (left.has(tag) || (isOnly && model === null))
      return [{ kind: "operation", subject: label, what: "is gone", by }];
    return [{ kind: "other", subject: model?.ownKey ?? `all of ${tag}`, what: "is gone", by }];
  });
}

/** The changes of one operation, with those of its parameters, bodies and responses. */
export function operationChanges(
  { was, is }: Sides<ApiOperation>,
  pair: ApiPair,
  compare: SchemaComparer,
  knowsRows: boolean,
): Finding[] {
  const place: Place = {
    subject: is.label,
    use: "sends",
    operation: is.model === null ? null : (is.path.split("/").at(-1) ?? null),
    model: null,
    depth: 0,
  };
  return [
    ...moved(was, is),
    ...accessChanges(was, is, knowsRows),
    ...credentialChanges(was, is),
    ...parameterChanges(was, is, place, pair, compare),
    ...bodyChanges(was, is, place, pair, compare),
    ...responseChanges(was, is, place, pair, compare),
  ];
}

function moved(was: ApiOperation, is: ApiOperation): Finding[] {
  const found: Finding[] = [];
  const by = "callers of the old path get 404 or 405";
  const [former, now] = [was, is].map(({ path }) => path.split("/"));
  if (former === undefined || now === undefined) return [];
  if (was.method !== is.method || (routeOf(was) !== routeOf(is) && former.at(-1) !== now.at(-1)))
    found.push({ kind: "operation", subject: was.label, what: `is ${routeLabel(is)} now`, by });
  else if (routeOf(was) !== routeOf(is)) {
    while (former.at(-1) === now.at(-1)) [former.pop(), now.pop()];
    // One line for all operations below a prefix.
    const [from, to] = [former, now].map((parts) => parts.join("/") || "/");
    found.push({ kind: "other", subject: `the paths below ${from}`, what: `are below ${to} now`, by });
  }
  const isNamed = was.model === null || is.model === null;
  if (isNamed && was.id !== is.id) {
    const what = `has the operationId ${is.id}; before: ${was.id}`;
    found.push({ kind: "other", subject: is.label, what, by: "anyone who uses a generated client" });
  }
  return found;
}

function routeLabel({ method, path }: ApiOperation): string {
  return `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ":$1")}`;
}

/** Roles that are gone. Where conditions cannot be compared, other rows are named as such. */
function accessChanges(was: ApiOperation, is: ApiOperation, knowsRows: boolean): Finding[] {
  const now = is.content["x-kirak-access"];
  if (!Array.isArray(now)) return [];
  return listIn(was.content, "x-kirak-access").flatMap((entry): Finding[] => {
    const [role, part] = [roleOf(entry), partOf(entry)];
    const holders = now.filter(
      (each) => coversRole(roleOf(each), role) && (part === "" || ["", part].includes(partOf(each))),
    );
    const subject = part === "" ? is.label : `${is.label}:${part}`;
    if (holders.length === 0) {
      const what = `is not open to ${rolePhrase(role)} any more`;
      return [{ kind: "access", subject, what, by: "they get 401 or 403" }];
    }
    const rows = rowsOf(entry);
    if (knowsRows || holders.some((each) => [null, rows].includes(rowsOf(each)))) return [];
    const what = `opens other rows to ${rolePhrase(role)}; before: ${rows ?? "all rows"}`;
    return [{ kind: "access", subject, what, by: "rows can be missing or refused" }];
  });
}

function partOf(entry: unknown): string {
  return isJsonObject(entry) ? textIn(entry, "part") : "";
}

function rowsOf(entry: unknown): string | null {
  return isJsonObject(entry) && typeof entry["rows"] === "string" ? entry["rows"] : null;
}

/** Credentials that are needed now, or not taken any more. */
function credentialChanges(was: ApiOperation, is: ApiOperation): Finding[] {
  const [former, now] = [was, is].map(({ content }) =>
    listIn(content, "security").map((each) => Object.keys(Object(each))[0] ?? ""),
  );
  if (former === undefined || now === undefined) return [];
  const isOpen = (schemes: readonly string[]) => schemes.length === 0 || schemes.includes("");
  if (isOpen(former) && !isOpen(now)) {
    const [admitted, admits] = [was, is].map(({ content }) =>
      listIn(content, "x-kirak-access").some((entry) => coversRole(roleOf(entry), guestRole)),
    );
    // The change of the roles is reported.
    if (admitted && !admits) return [];
    return [
      {
        kind: "credential",
        subject: is.label,
        what: "needs a credential now",
        by: "callers without one get 401",
      },
    ];
  }
  if (isOpen(now)) return [];
  return former
    .filter((scheme) => scheme !== "" && !now.includes(scheme))
    .map((scheme) => ({
      kind: "credential",
      subject: is.label,
      what: `takes no ${schemes[scheme] ?? scheme} any more`,
      by: "callers who send one get 401",
    }));
}

const schemes: Readonly<Record<string, string>> = {
  bearer: "access token",
  apiKey: "API key",
  ingestionKey: "ingestion key",
};

type Comparison = (
  was: ApiOperation,
  is: ApiOperation,
  place: Place,
  pair: ApiPair,
  compare: SchemaComparer,
) => Finding[];

const parameterChanges: Comparison = (was, is, place, pair, compare) => {
  const [former, now] = [parametersOf(was, pair.was), parametersOf(is, pair.is)];
  const kept = [...former].flatMap(([key, parameter]): Finding[] => {
    const found = now.get(key);
    const at = { ...place, subject: parameterLabel(is, parameter) };
    if (found === undefined) return [{ kind: "gone", subject: at.subject, what: "", by: ["sends"] }];
    const renamed = `is called ${found.name} now`;
    return [
      ...(found.name === parameter.name
        ? []
        : [
            {
              kind: "other",
              subject: at.subject,
              what: renamed,
              by: "anyone who uses a generated client",
            } as const,
          ]),
      ...(found.required && !parameter.required
        ? [
            {
              kind: "required",
              subject: at.subject,
              what: "is required now",
              by: "anyone who omits it",
            } as const,
          ]
        : []),
      ...compare(parameter.schema, found.schema, at),
    ];
  });
  const demanded = [...now]
    .filter(([key, { required }]) => required && !former.has(key))
    .map(([, parameter]) => {
      const subject = parameterLabel(is, parameter);
      return { kind: "required", subject, what: "is new and required", by: "anyone who omits it" } as const;
    });
  return [...kept, ...demanded];
};

interface Parameter {
  readonly name: string;
  readonly required: boolean;
  readonly schema: unknown;
  readonly component: string | null;
}

/** Parameters by place and name. Those of a path are known by their order. */
function parametersOf({ content }: ApiOperation, api: ApiSide): Map<string, Parameter> {
  let inPath = 0;
  return new Map(
    listIn(content, "parameters").map((value) => {
      const { in: kind, name, required, schema = {} } = api.resolve(value);
      const component = referenceOf(value)?.split("/").at(-1) ?? null;
      const parameter = { name: String(name), required: required === true, schema, component };
      return [kind === "path" ? `path ${inPath++}` : `${kind} ${name}`, parameter];
    }),
  );
}

function parameterLabel({ label }: ApiOperation, { name, component }: Parameter): string {
  return component === null ? `${label} parameter ${name}` : `parameter ${component}`;
}

const bodyChanges: Comparison = (was, is, place, pair, compare) => {
  const [former, now] = [
    pair.was.resolve(was.content["requestBody"]),
    pair.is.resolve(is.content["requestBody"]),
  ];
  const at = { ...place, subject: `${is.label} body` };
  const found = (what: string, by: string): Finding[] => [{ kind: "other", subject: at.subject, what, by }];
  const [had, has] = [former["content"] !== undefined, now["content"] !== undefined];
  if (!has) return had ? [{ kind: "gone", subject: at.subject, what: "", by: ["sends"] }] : [];
  const demanded =
    now["required"] === true && former["required"] !== true
      ? found("is required now", "anyone who omits it")
      : [];
  if (!had) return demanded;
  const { "*/*": any } = objectIn(now, "content");
  return [...demanded, ...contentChanges(former, now, at, compare, any)];
};

/** The changes of contents by their types. `any` is the content of all types. */
function contentChanges(
  was: JsonObject,
  is: JsonObject,
  at: Place,
  compare: SchemaComparer,
  any?: unknown,
): Finding[] {
  return Object.entries(objectIn(was, "content")).flatMap(([type, content]) => {
    const now = objectIn(is, "content")[type] ?? any;
    if (isJsonObject(content) && isJsonObject(now))
      return [...compare(content["schema"] ?? {}, now["schema"] ?? {}, at)];
    return [{ kind: "other", subject: at.subject, what: `is not ${type} any more`, by: [at.use] } as const];
  });
}

const responseChanges: Comparison = (was, is, place, pair, compare) =>
  Object.entries(objectIn(was.content, "responses"))
    .filter(([status]) => /^[23]/.test(status))
    .flatMap(([status, response]): readonly Finding[] => {
      const now = objectIn(is.content, "responses")[status];
      const component = referenceOf(now)?.split("/").at(-1);
      const at: Place = {
        ...place,
        subject: component ?? `${is.label} answer`,
        use: "reads",
        operation: null,
      };
      if (now === undefined && status === "2XX") return [];
      return contentChanges(pair.was.resolve(response), pair.is.resolve(now), at, compare);
    });

/** The codes of the app's errors that are gone, or have another status. `builtIn` are those of Kirak. */
export function errorChanges(
  { was, is }: Sides<ApiSide>,
  builtIn: { has(code: string): boolean },
): Finding[] {
  const now = errorsOf(is);
  return [...errorsOf(was)].flatMap(([code, status]): Finding[] => {
    const current = now.get(code);
    if (builtIn.has(code) || isDeepStrictEqual(current, status)) return [];
    const subject = `the error ${code}`;
    if (current === undefined)
      return [{ kind: "other", subject, what: "is gone", by: "callers who check its code" }];
    const what = `has status ${current}; before: ${status}`;
    return [{ kind: "other", subject, what, by: "callers who check the status" }];
  });
}

/** The codes that operations list, with their statuses. */
function errorsOf(api: ApiSide): Map<string, string> {
  const responses = api.operations.flatMap(({ content }) => Object.entries(objectIn(content, "responses")));
  return new Map(
    responses.flatMap(([status, response]) => {
      const json = objectIn(objectIn(api.resolve(response), "content"), "application/json");
      const codes = listIn(objectIn(objectIn(objectIn(json, "schema"), "properties"), "error"), "enum");
      return codes.map((code) => [String(code), status] as const);
    }),
  );
}
