import { type DocumentedMethod, documentedMethods, type OpenApiDocument } from "#vocabulary/openapi/document";
import { describedBy } from "./openapi.ts";
import type { Reply, Sent } from "./request.ts";

/** Checks an answer against a document. */
export type AnswerCheck = (sent: Pick<Sent, "method" | "path">, reply: Reply) => void;

/** Statuses of requests that break HTTP, or that a route does not expect: a body on a GET, another method. */
const ofHttp = [400, 405, 408, 413, 415, 431, 501];

/** The check of a document: it describes each answer of an operation that it lists. */
export function answerCheck(document: OpenApiDocument): AnswerCheck {
  const expectDescribed = describedBy(document);
  const patterns = Object.keys(document.paths).map((path) => ({ path, pattern: patternOf(path) }));
  return ({ method, path: target }, reply) => {
    const [sent = ""] = target.split("?");
    const path = document.paths[sent] ? sent : patterns.find(({ pattern }) => pattern.test(sent))?.path;
    const verb = methodOf(method);
    const operation = path === undefined || verb === null ? undefined : document.paths[path]?.[verb];
    if (path === undefined || operation === undefined) return;
    const { error } = errorOf(reply.text);
    if (error === "HTTP_ERROR" && ofHttp.includes(reply.status)) return;
    // Code of the app can throw any code with any status.
    const isOfApp = reply.status >= 400 && "default" in operation.responses;
    if (!isOfApp && method !== "HEAD") expectDescribed(method, path, reply);
  };
}

function methodOf(method: string): DocumentedMethod | null {
  const name = method === "HEAD" ? "get" : method.toLowerCase();
  return documentedMethods.find((each) => each === name) ?? null;
}

function patternOf(path: string): RegExp {
  const literal = path.replace(/[.*+?^$()|[\]\\]/g, "\\$&");
  return new RegExp(`^${literal.replace(/\{[^}]+\}/g, "[^/]+")}$`);
}

function errorOf(text: string): { readonly error?: unknown } {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}
