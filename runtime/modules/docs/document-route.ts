import { readFile } from "node:fs/promises";
import type { Request, RequestHandler, Response } from "express";
import { guestRole, signedInRole } from "../../../vocabulary/accounts/role-names.ts";
import type { OpenApiDocument } from "../../../vocabulary/openapi/document.ts";
import { openApiPath } from "../../../vocabulary/openapi/document-paths.ts";
import { documentedRoles, roleDocument } from "../../../vocabulary/openapi/role-document.ts";
import { type KeptContent, keptContent, methodNotAllowed, onPaths, sendKept } from "../../core/http/index.ts";
import type { Principal } from "../../models/access/index.ts";
import { atPrefixes, type PathPrefixes } from "./running-paths.ts";

interface DocumentRouteOptions {
  /** The generated folder. */
  readonly folder: URL;
  /** Of the running service. */
  readonly prefixes: PathPrefixes;
  /** Whether callers get the whole document, or the part that their role reaches. */
  readonly scope: "all" | "caller";
  readonly callerOf: (request: Request, response: Response) => Promise<{ readonly principal: Principal }>;
}

/** `GET /openapi.json`. Errors with the scope `caller`: those of the credential. */
export function documentRoute({ folder, prefixes, scope, callerOf }: DocumentRouteOptions): RequestHandler {
  const documents = new Documents(new URL("openapi.json", folder), prefixes);
  return onPaths([openApiPath], async (request, response) => {
    const { context, method } = request;
    context.isRecorded = false;
    context.route = context.mountPath + openApiPath;
    if (method !== "GET" && method !== "HEAD") throw methodNotAllowed(["GET", "HEAD"]);
    if (scope === "caller") response.vary("Authorization, X-API-Key, Cookie");
    const role = scope === "caller" ? roleOf((await callerOf(request, response)).principal) : null;
    response.setHeader("Cache-Control", scope === "caller" ? "private, no-cache" : "no-cache");
    sendKept(request, response, await documents.of(role, context.mountPath));
  });
}

function roleOf({ user_id, role }: Principal): string {
  return user_id === null ? guestRole : role;
}

/** The documents of a service, one per role. They are made at their first request and kept. */
class Documents {
  readonly #file: URL;
  readonly #prefixes: PathPrefixes;
  #whole: { readonly document: OpenApiDocument; readonly roles: ReadonlySet<string> } | null = null;
  /** The texts of documents without a mount path. */
  readonly #texts = new Map<string | null, string>();
  readonly #kept = new Map<string | null, { readonly mountPath: string; readonly content: KeptContent }>();

  constructor(file: URL, prefixes: PathPrefixes) {
    this.#file = file;
    this.#prefixes = prefixes;
  }

  /** The whole document without a role. A role that nothing names has the document of `signed_in`. */
  async of(role: string | null, mountPath: string): Promise<KeptContent> {
    const { document, roles } = await this.#read();
    const key = role === null || role === guestRole || roles.has(role) ? role : signedInRole;
    const last = this.#kept.get(key);
    // An application can mount the service at several paths.
    if (last?.mountPath === mountPath) return last.content;
    const text = this.#texts.get(key) ?? textOf(key === null ? document : roleDocument(document, key));
    this.#texts.set(key, text);
    const mounted = mountPath === "" ? text : text.replace(servers("/"), () => servers(mountPath));
    const content = keptContent(mounted, "application/json");
    this.#kept.set(key, { mountPath, content });
    return content;
  }

  async #read() {
    if (this.#whole !== null) return this.#whole;
    const generated: OpenApiDocument = JSON.parse(await readFile(this.#file, "utf8"));
    const document = atPrefixes(generated, this.#prefixes);
    this.#whole = { document, roles: documentedRoles(document) };
    return this.#whole;
  }
}

function textOf(document: OpenApiDocument): string {
  return JSON.stringify({ ...document, servers: [{ url: "/" }] });
}

/** The text of `servers`, which only the document itself has: in strings its quotes are escaped. */
function servers(url: string): string {
  return `"servers":${JSON.stringify([{ url }])}`;
}
