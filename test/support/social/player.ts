import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { listening } from "../listening.ts";

/** A call that the service made to a provider. */
export interface Heard {
  readonly method: string;
  /** As the service meant it: with the provider's own host. */
  readonly url: URL;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
  /** The body, read as a form. */
  readonly form: URLSearchParams;
}

/** What a provider says. One of `json`, `form` and `text` is the body. */
export interface Says {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly form?: Readonly<Record<string, string>>;
  readonly text?: string;
}

type Part = (heard: Heard) => Says | Promise<Says>;

/** Plays providers: receives every outgoing call of the service. */
export interface Player {
  readonly origin: string;
  /** For `Peers.resolveProvider`. */
  readonly resolve: (url: URL) => URL;
  /**
   * Sets the response of an address, such as `GET https://api.github.com/user`, or with `*` of all other addresses.
   * Replaces an earlier part of the same address.
   */
  play(address: string, part: Part): void;
  /** Forgets all that was played. */
  forget(): void;
  /** Every call so far. */
  readonly heard: Heard[];
}

/** Starts a player, which ends with the test file. It answers 501 to unknown calls; `heard` lists all. */
export async function player(): Promise<Player> {
  const parts = new Map<string, Part>();
  const heard: Heard[] = [];
  const server = createServer((request, response) => {
    answer(request, response, parts, heard).catch((error: unknown) => {
      response.statusCode = 500;
      response.end(String(error));
    });
  });
  const origin = await listening(server);
  return {
    origin,
    resolve: (url) =>
      new URL(`/${url.protocol.slice(0, -1)}/${url.host}${url.pathname}${url.search}`, origin),
    play: (address, part) => void parts.set(address, part),
    forget: () => parts.clear(),
    heard,
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  parts: ReadonlyMap<string, Part>,
  heard: Heard[],
): Promise<void> {
  const [, scheme = "", rest = ""] = /^\/(https?)\/(.*)$/s.exec(request.url ?? "") ?? [];
  const url = new URL(`${scheme}://${rest}`);
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks).toString("utf8");
  const { method = "GET", headers } = request;
  const call = { method, url, headers, body, form: new URLSearchParams(body) };
  heard.push(call);
  const part = parts.get(`${method} ${url.origin}${url.pathname}`) ?? parts.get("*");
  const says = part === undefined ? { status: 501, text: "no part for this request" } : await part(call);
  const [type, text] = bodyOf(says);
  response.writeHead(says.status ?? 200, { "content-type": type, ...says.headers });
  response.end(text);
}

function bodyOf({ json, form, text = "" }: Says): readonly [string, string] {
  if (json !== undefined) return ["application/json", JSON.stringify(json)];
  if (form !== undefined) return ["application/x-www-form-urlencoded", new URLSearchParams(form).toString()];
  return ["text/plain", text];
}
