import { AsyncLocalStorage } from "node:async_hooks";
import { createRequire } from "node:module";
import { parse } from "lossless-json";
import { isJsonObject } from "../../../../vocabulary/json.ts";
import { isProviderAddress } from "../../../../vocabulary/social/provider-settings.ts";
import { asStep, noTrace, type StepName, type Trace } from "../../../core/concurrency/index.ts";
import { SocialFailure, statusFailure } from "./social-failure.ts";

/** A call to a provider. */
interface OutboundCall {
  readonly method: "GET" | "POST";
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** The response, for any status. */
export interface OutboundResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

interface OutboundOptions {
  /** The service's user agent: some providers refuse requests without one. */
  readonly userAgent: string;
  /** In production, even hosts on this machine need encryption. */
  readonly production: boolean;
  /** Resolves the hosts of providers; only for tests, which simulate the providers. */
  readonly resolve?: ((url: URL) => URL) | undefined;
}

/** The timeout of a call to a provider, in milliseconds. */
const longestWait = 5_000;
/** The maximum size of a response, in bytes. */
const longestAnswer = 1_048_576;

/**
 * Calls providers, which are not trusted. Requires encryption, except outside production on this machine.
 * Follows no redirect, waits at most 5 s, and reads at most 1 MiB of a response. Errors: `SocialFailure`.
 */
export class Outbound {
  readonly #options: OutboundOptions;
  /** Passes the trace of a route to its calls, far below the route. */
  readonly #steps = new AsyncLocalStorage<{ readonly trace: Trace; readonly name: StepName }>();

  constructor(options: OutboundOptions) {
    this.#options = options;
  }

  /** Runs work whose calls are recorded as steps of a trace. */
  asSteps<Result>(trace: Trace, name: StepName, work: () => Promise<Result>): Promise<Result> {
    return trace === noTrace ? work() : this.#steps.run({ trace, name }, work);
  }

  send(call: OutboundCall): Promise<OutboundResponse> {
    const steps = this.#steps.getStore();
    return steps === undefined ? this.#send(call) : asStep(steps.trace, steps.name, () => this.#send(call));
  }

  async #send({ method, url, headers, body }: OutboundCall): Promise<OutboundResponse> {
    const { userAgent, production, resolve = (address) => address } = this.#options;
    if (!isProviderAddress(url.href) || (production && url.protocol !== "https:"))
      throw new SocialFailure(`${url.origin} is not a valid provider address`);
    try {
      const response = await fetch(resolve(url), {
        method,
        headers: headersOf({ accept: "application/json", "user-agent": userAgent }, headers),
        redirect: "manual",
        signal: AbortSignal.timeout(longestWait),
        // An empty body would be sent as text/plain, which Dropbox refuses.
        ...(body !== undefined && body !== "" && { body }),
      });
      return { status: response.status, headers: response.headers, text: await textOf(response) };
    } catch (error) {
      if (error instanceof SocialFailure) throw error;
      throw new SocialFailure(`${url.host} did not answer: ${reasonOf(error)}`, "unavailable");
    }
  }

  /** Like `send`, but throws if the status is not 2xx. Errors: `SocialFailure`. */
  async ask(call: OutboundCall): Promise<OutboundResponse> {
    const answer = await this.send(call);
    if (answer.status >= 200 && answer.status < 300) return answer;
    throw statusFailure(call.url.host, answer.status);
  }
}

/** Headers of the call replace the others: a repeated header would be sent with both values. */
function headersOf(
  standard: Readonly<Record<string, string>>,
  custom: Readonly<Record<string, string>> = {},
): Headers {
  const headers = new Headers(standard);
  for (const [name, value] of Object.entries(custom)) headers.set(name, value);
  return headers;
}

async function textOf(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    // The throw ends the loop, and that cancels the request.
    if (length > longestAnswer) throw new SocialFailure("the response is larger than 1 MiB");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** The code of a connection error, or its name. Its message can contain the URL, which can hold secrets. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  const { cause } = error;
  return cause instanceof Error && "code" in cause ? String(cause.code) : error.name;
}

const require = createRequire(import.meta.url);
/** Loaded with the first XML, which few providers send. */
const loadParser = (): typeof import("saxes") => require("saxes");

/**
 * An element: its attributes and elements by name, repeated elements as a list. Its text is `#text` if it
 * also has attributes or elements.
 */
type Element = Record<string, unknown>;

/**
 * Parses XML: `{root: …}`. An element with only text becomes that text. Names have no prefix. Refuses a
 * document type, so that only XML's predefined entities exist. Throws on malformed input.
 */
function parseXml(text: string): Element {
  const root = emptyElement();
  const path: { readonly name: string; readonly element: Element; text: string }[] = [];
  const parser = new (loadParser().SaxesParser)();
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("doctype", () => {
    throw new Error("a DOCTYPE is not allowed");
  });
  parser.on("opentag", ({ name, attributes }) => {
    if (path.length >= longestDepth) throw new Error("too deep");
    const element = emptyElement();
    for (const [key, value] of Object.entries(attributes)) element[localName(key)] = value;
    path.push({ name: localName(name), element, text: "" });
  });
  const addText = (part: string) => {
    const open = path.at(-1);
    if (open !== undefined) open.text += part;
  };
  parser.on("text", addText);
  parser.on("cdata", addText);
  parser.on("closetag", () => {
    const closed = path.pop();
    if (closed === undefined) return;
    const { name, element, text: content } = closed;
    const words = content.trim();
    if (Object.keys(element).length > 0 && words !== "") element["#text"] = words;
    const value = Object.keys(element).length === 0 ? words : element;
    const parent = path.at(-1)?.element ?? root;
    const before = parent[name];
    if (before === undefined) parent[name] = value;
    else if (Array.isArray(before)) before.push(value);
    else parent[name] = [before, value];
  });
  parser.write(text).close();
  return root;
}

/** Has no prototype, so that any name can be a key. */
function emptyElement(): Element {
  const element: Element = {};
  return Object.setPrototypeOf(element, null);
}

function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}

/** A parsed response. Numbers are strings of their digits: as a double, a long id would lose digits. */
export type Document = unknown;

/**
 * Parses a response by its media type: JSON, XML or a form. If the type is missing, text or JavaScript, the
 * content must be JSON or a form. Errors: `SocialFailure`.
 */
export function documentOf({ headers, text }: OutboundResponse): Document {
  const mediaType = (headers.get("content-type") ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
  try {
    if (/[/+]json$/.test(mediaType)) return parseJson(text);
    if (/[/+]xml$/.test(mediaType)) return parseXml(text);
    if (mediaType === "application/x-www-form-urlencoded") return parseForm(text);
    if (!/^$|^text\/|javascript$/.test(mediaType)) throw new SocialFailure("its media type is unknown");
    return /^\s*[{[]/.test(text) ? parseJson(text) : parseForm(text);
  } catch (error) {
    const reason = error instanceof SocialFailure ? error.message : "it is malformed";
    throw new SocialFailure(`a response cannot be parsed: ${reason}`);
  }
}

/** The maximum depth of a document. It protects recursive code from a stack overflow. */
const longestDepth = 32;

/** Parses JSON, numbers as strings. Throws if the JSON is malformed or nested too deeply. */
export function parseJson(text: string): Document {
  const document = parse(text, undefined, { parseNumber: (digits) => digits });
  let level = [document];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > longestDepth) throw new SocialFailure("it is nested too deeply");
    level = level.flatMap((node) => (typeof node === "object" && node !== null ? Object.values(node) : []));
  }
  return document;
}

/** Parses a form. Throws on text or markup: a form encodes blanks, quotes and brackets. */
function parseForm(text: string): Document {
  const form = text.trim();
  if (!/^[^\s=&<>{}"]+=[^\s<>{}"]*$/.test(form)) throw new SocialFailure("it is not form-encoded");
  return Object.fromEntries(new URLSearchParams(form));
}

/** Returns an own property of an object; undefined for any other value. */
export function member(document: Document, key: string): Document {
  return isJsonObject(document) && Object.hasOwn(document, key) ? document[key] : undefined;
}

/** Returns a string or a boolean as a string; null for an empty string and for any other value. */
export function scalar(value: Document): string | null {
  if (typeof value === "boolean") return String(value);
  return typeof value === "string" && value !== "" ? value : null;
}
