import type { ErrorCode } from "./errors.ts";
import { type ApiRequest, addressOf, callOf, dataOf, type Send } from "./request.ts";
import type { SessionKeeper } from "./session.ts";
import type { CallOptions, ClientOptions, FilePages, Upload } from "./types.ts";
import { upload } from "./upload.ts";

/** What a method takes as one object; a custom route has these names. */
interface Input {
  params?: Record<string, unknown>;
  query?: object;
  body?: unknown;
}

/** The method of an operation that is not a model's. `entry` is its HTTP method, its path and notes, which `Tables` explains. */
export function methodOf(
  client: ClientOptions,
  send: Send,
  sessions: SessionKeeper,
  entry: string,
): (...given: unknown[]) => unknown {
  const [method = "", template = "", takes = "none", ...notes] = entry.split(" ");
  const has = (note: string) => notes.includes(note);
  const property = notes.find((note) => /token/i.test(note));
  return (...given) => {
    const apart = has("apart") ? given.shift() : undefined;
    const input: Record<string, unknown> = {
      ...(has("begins") && sessions.signIn),
      ...(takes !== "none" && Object(given.shift())),
    };
    const { params = input, query, body }: Input = takes === "route" ? input : { [takes]: input };
    const path = template.replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = String(params[name] ?? apart ?? "");
      if (takes !== "route") delete params[name];
      // An address has no such segments: `..` would be another path.
      if (/^\.{0,2}$/.test(value)) throw new TypeError(`${template}: ${name} is "${value}".`);
      return encodeURIComponent(value);
    });
    const options = given[0] as CallOptions | undefined;
    const request: ApiRequest = {
      ...options,
      method,
      path,
      query,
      open: has("open"),
      response: has("response"),
    };
    if (takes === "url") return addressOf(client, path, input);
    if (takes === "form") return upload(send, request, input as unknown as Upload);
    if (has("files")) return filesOf((query) => send({ ...request, query }), input);
    if (!property) {
      const sending = send({ ...request, [has("raw") ? "raw" : "body"]: body });
      return callOf(takes === "route" ? sending : sending.then(sessions.keep), dataOf);
    }
    const sending = sessions.use(
      (session) => send({ ...request, body: { [property]: session?.refreshToken, ...input } }),
      input[property],
      property === "token" ? input["logout_type"] !== "others" : undefined,
    );
    return callOf(sending, dataOf);
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
        if (!page.next) return;
      }
    },
  });
}
