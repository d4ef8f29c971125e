import type { ErrorCode } from "./errors.ts";
import { type ApiRequest, addressOf, callOf, dataOf, type Send, type Success } from "./request.ts";
import type { SessionKeeper } from "./session.ts";
import type { CallOptions, ClientOptions, FilePages, Session, Upload } from "./types.ts";
import { uploadOf } from "./upload.ts";

/** What a custom route takes. */
interface RouteInput {
  params?: Record<string, unknown>;
  query?: object;
  body?: unknown;
}

/** The method of a custom route. */
export function routeMethod(send: Send, entry: string): unknown {
  const [method = "", template = "", note] = entry.split(" ");
  return ({ params = {}, query, body }: RouteInput = {}, options?: CallOptions) => {
    const path = filled(template, (name) => params[name]);
    const content = { [note === "raw" ? "raw" : "body"]: body };
    return callOf(
      send({ method, path, query, ...content, options, wantsResponse: note === "response" }),
      dataOf,
    );
  };
}

/** The method of another operation: it takes the parameters of the path, then what its notes say, then options. */
export function groupMethod(
  client: ClientOptions,
  send: Send,
  sessions: SessionKeeper,
  entry: string,
): (...given: unknown[]) => unknown {
  const [method = "", template = "", ...notes] = entry.split(" ");
  const has = (note: string) => notes.includes(note);
  const takes = ["body", "query", "form", "url"].find(has);
  const property = notes.find((note) => note.endsWith("="))?.slice(0, -1);
  const read = async (success: Success) => {
    await sessions.keep(success);
    return success.data;
  };
  return (...given) => {
    const apart = has("apart") ? given.shift() : undefined;
    const input: Record<string, unknown> = { ...(takes && (given.shift() as object | undefined)) };
    const path = filled(template, (name) => {
      const { [name]: value = apart } = input;
      delete input[name];
      return value;
    });
    const options = given[0] as CallOptions | undefined;
    const request: ApiRequest = { method, path, options, isOpen: has("open") };
    if (takes === "url") return addressOf(client, path, input);
    if (takes === "form") {
      const { finish, ...content } = uploadOf(input as unknown as Upload);
      return callOf(send({ ...request, ...content }), ({ data }) => {
        finish();
        return data;
      });
    }
    if (has("files")) return filesOf((query) => send({ ...request, query }), input);
    const sending = async () => {
      if (!property) return send(takes ? { ...request, [takes]: input } : request);
      const session = await sessions.get();
      let kept: Session | null = null;
      try {
        const success = await send({ ...request, body: { [property]: session?.refreshToken, ...input } });
        // Then the access token has ended, and the refresh token has not.
        if (session && input["logout_type"] === "others") kept = { ...session, expiresAt: 0 };
        return success;
      } finally {
        if (has("ends")) await sessions.set(kept);
      }
    };
    return callOf(sending(), read);
  };
}

interface StoredFiles {
  files: unknown[];
  next?: string;
}

/** A page of files, and the files of all pages from there. */
function filesOf(
  ask: (query: object | undefined) => ReturnType<Send>,
  query: object | undefined,
): FilePages<StoredFiles, unknown, ErrorCode> {
  const pageOf = (asked: object | undefined) => callOf(ask(asked), ({ data }) => data as StoredFiles);
  const first = pageOf(query);
  return Object.assign(first, {
    async *[Symbol.asyncIterator]() {
      for (let page = await first; ; page = await pageOf({ ...query, after: page.next })) {
        yield* page.files;
        if (page.next === undefined) return;
      }
    },
  });
}

function filled(template: string, parameterOf: (name: string) => unknown): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(parameterOf(name) ?? "");
    // An address has no such segments: `..` would be another path.
    if (/^\.{0,2}$/.test(value)) throw new TypeError(`${template}: ${name} is "${value}".`);
    return encodeURIComponent(value);
  });
}
