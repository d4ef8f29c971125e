import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { transformSync } from "esbuild";
import { clientText } from "#generator/emit/client/client";
import type { Json } from "#vocabulary/json";
import type { OpenApiDocument } from "#vocabulary/openapi/document";
import { temporaryFolder } from "./temporary-folder.ts";

// Types of a generated client, as far as tests at run time need them. Its own types have tests of their own.

export interface Session {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly expiresAt: number;
}

export interface SessionStore {
  get(): Session | null | Promise<Session | null>;
  set(session: Session | null): void | Promise<void>;
}

export interface Options {
  readonly url: string;
  readonly token?: string | (() => string | null | Promise<string | null>);
  readonly apiKey?: string;
  readonly credentials?: string;
  readonly cookies?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
  readonly storage?: SessionStore;
  readonly fetch?: typeof fetch;
  readonly timeout?: number;
  readonly retries?: number;
  readonly print?: (document: never) => string;
}

/** An error of a call. */
export interface CallError extends Error {
  readonly error: string;
  readonly status: number;
  readonly requestId: string | null;
  readonly details?: { readonly [key: string]: Json };
  readonly retryAfter?: number;
}

export type CallResult<Data> =
  | { readonly ok: true; readonly data: Data; readonly error?: undefined }
  | { readonly ok: false; readonly data?: undefined; readonly error: CallError };

export interface Called<Data = Json> extends Promise<Data> {
  result(): Promise<CallResult<Data>>;
}

export type Row = Readonly<Record<string, Json>>;

export interface RowsPage {
  readonly rows: readonly Row[];
  readonly limit: number;
  readonly hasMore: boolean;
  readonly next: string | null;
  readonly previous: string | null;
}

export interface LazyRows extends PromiseLike<Row[]>, AsyncIterable<Row> {
  result(): Promise<CallResult<Row[]>>;
  page(): Called<RowsPage>;
  pages(): AsyncIterable<RowsPage>;
}

/** A method that sends a request at once. */
export type Method = (...given: readonly unknown[]) => Called;

export interface Model {
  fetch(query?: object, options?: object): LazyRows;
  search(term: string, query?: object, options?: object): LazyRows;
  get(id: unknown, options?: object): Called<Row | null>;
  create(record: object, options?: object): Called<Row>;
  readonly count: Method;
  readonly exists: Method;
  readonly createMany: Method;
  readonly update: Method;
  readonly updateMany: Method;
  readonly upsert: Method;
  readonly delete: Method;
  readonly destroy: Method;
  readonly restore: Method;
}

/** The models that tests use, and all groups. */
export type Client = Readonly<
  Record<
    "folders" | "notes" | "tasks" | "samples" | "words" | "hooked" | "docs" | "books" | "LineItems",
    Model
  >
> & {
  readonly models: Readonly<Record<string, Model>>;
  readonly routes: Readonly<Record<string, Method>>;
  readonly auth: Readonly<
    Record<
      | "login"
      | "logout"
      | "reauthenticate"
      | "register"
      | "me"
      | "refresh"
      | "changePassword"
      | "setupMfa"
      | "verifyEmailCode",
      Method
    >
  > & {
    readonly account: Readonly<Record<"get" | "update", Method>>;
    readonly apiKeys: Readonly<Record<"create" | "list" | "revoke", Method>>;
    readonly sessions: Readonly<Record<"list" | "end" | "endOthers", Method>>;
    readonly passkeys: Readonly<Record<"login" | "rename", Method>>;
    readonly social: Readonly<Record<"linked", Method>> & {
      url(provider: string, options?: object): string;
      readonly mobile: Method;
      link(provider: string, input?: object): Called<Row>;
      unlink(provider: string): Called<Row>;
    };
  };
  readonly storage: Readonly<Record<"uploadFile" | "uploadImage" | "delete" | "url" | "move", Method>> & {
    list(query?: object, options?: object): Called<{ files: Row[]; next?: string }> & AsyncIterable<Row>;
  };
  readonly users: Readonly<Record<string, Method>>;
  readonly rateLimits: Readonly<Record<"list" | "get" | "reset", Method>>;
  readonly graphql: Method;
  readonly session: {
    get(): Promise<Session | null>;
    set(session: Session | null): Promise<void>;
    subscribe(listener: (session: Session | null) => void): () => void;
  };
};

export interface ClientModule {
  createClient(options: Options): Client;
  browserStorage(key: string): SessionStore;
  isApiError(thrown: unknown): thrown is CallError;
  readonly ApiError: new (...given: never) => CallError;
}

/** The module that the generator writes for a document. */
export async function clientModule(document: OpenApiDocument): Promise<ClientModule> {
  const file = join(temporaryFolder("kirak-client-"), "index.ts");
  writeFileSync(file, clientText(document));
  return import(/* @vite-ignore */ pathToFileURL(file).href);
}

const fixture = new URL("../http/fixture/generated/openapi.json", import.meta.url);

export function fixtureDocument(): OpenApiDocument {
  return JSON.parse(readFileSync(fixture, "utf8"));
}

/** The client of the fixture. */
export function fixtureClient(): Promise<ClientModule> {
  return clientModule(fixtureDocument());
}

/** The same as one script of JavaScript that sets `client` in its scope. */
export function clientScript(document: OpenApiDocument): string {
  const options = { loader: "ts", format: "iife", globalName: "client", target: "es2022" } as const;
  return transformSync(clientText(document), options).code;
}
