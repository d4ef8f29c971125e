import type { ErrorCode, Failure } from "./errors.ts";

// The public types of a generated client.

export interface ClientOptions {
  /** The address of the service, with or without a slash at its end. */
  url: string;
  /** An access token, or a function that gives one. It wins over the session. */
  token?: string | (() => string | null | Promise<string | null>);
  apiKey?: string;
  credentials?: RequestCredentials;
  headers?: Record<string, string>;
  /** Where the session is kept. Default: in memory. */
  storage?: SessionStore;
  fetch?: typeof fetch;
  /** Milliseconds for one try. Default: 30,000; 0 is no limit. */
  timeout?: number;
  /** Further tries of a request that is safe to repeat. Default: 2. */
  retries?: number;
  /** `print` of the package `graphql`, for documents without their text. */
  print?: (document: never) => string;
}

export interface Session {
  accessToken: string;
  refreshToken: string;
  /** Milliseconds since 1970. */
  expiresAt: number;
}

export interface SessionStore {
  get(): Session | null | Promise<Session | null>;
  set(session: Session | null): void | Promise<void>;
}

/** The session of a client. */
export interface Sessions {
  get(): Promise<Session | null>;
  set(session: Session | null): Promise<void>;
  /** Calls the listener with each session that this client stores, and with null at its end. Returns a function that stops it. */
  subscribe(listener: (session: Session | null) => void): () => void;
}

export interface CallOptions {
  signal?: AbortSignal;
  timeout?: number;
  headers?: Record<string, string>;
}

/** A request that has been sent. It rejects with an `ApiError`; `result()` never rejects. */
export interface Call<Data, Code extends ErrorCode> extends Promise<Data> {
  result(): Promise<Result<Data, Code>>;
}

/** Rows that are requested at the first `await`, `result()`, `page()` or iteration. */
export interface Query<Row, Code extends ErrorCode> extends PromiseLike<Row[]>, AsyncIterable<Row> {
  result(): Promise<Result<Row[], Code>>;
  page(): Call<Page<Row>, Code>;
  pages(): AsyncIterable<Page<Row>>;
}

export interface Page<Row> {
  rows: Row[];
  limit: number;
  hasMore: boolean;
  /** The cursor of the next page, for `after`. */
  next: string | null;
  /** The cursor of the previous page, for `before`. */
  previous: string | null;
  page?: number;
  offset?: number;
  total?: number;
  totalPages?: number;
  estimated?: boolean;
}

export type Result<Data, Code extends ErrorCode> =
  | { ok: true; data: Data; error?: undefined }
  | { ok: false; data?: undefined; error: Failure<Code> };

export interface ReadQuery<Where, Field extends string> {
  where?: Where;
  orderBy?: Field | `-${Field}`;
  limit?: number;
  page?: number;
  offset?: number;
  /** A cursor, or `start`. */
  after?: string;
  /** A cursor, or `end`. */
  before?: string;
  total?: "exact" | "estimated" | "none";
}

export type Selected<Row, Field extends keyof Row> = { [K in Field]-?: Exclude<Row[K], undefined> };

export interface Fetches<
  Row,
  Where,
  Field extends string & keyof Row,
  Id,
  Code extends ErrorCode = ErrorCode,
> {
  fetch(query?: ReadQuery<Where, Field> & { select?: undefined }, options?: CallOptions): Query<Row, Code>;
  fetch<const F extends Field>(
    query: ReadQuery<Where, Field> & { select: readonly F[] },
    options?: CallOptions,
  ): Query<Selected<Row, F>, Code>;
  get(id: Id, options?: CallOptions): Call<Row | null, Code>;
}

export interface Searches<Row, Where, Field extends string & keyof Row, Code extends ErrorCode = ErrorCode> {
  search(
    term: string,
    query?: ReadQuery<Where, Field> & { select?: undefined },
    options?: CallOptions,
  ): Query<Row, Code>;
  search<const F extends Field>(
    term: string,
    query: ReadQuery<Where, Field> & { select: readonly F[] },
    options?: CallOptions,
  ): Query<Selected<Row, F>, Code>;
}

export interface Counts<Where, Code extends ErrorCode = ErrorCode> {
  count(where?: Where, options?: CallOptions): Call<number, Code>;
}

export interface Exists<Where, Code extends ErrorCode = ErrorCode> {
  exists(where: Where, options?: CallOptions): Call<boolean, Code>;
}

export interface Creates<Input, Row, Code extends ErrorCode = ErrorCode> {
  create(record: Input, options?: CallOptions): Call<Row, Code>;
}

export interface CreatesMany<Input, Id, Code extends ErrorCode = ErrorCode> {
  createMany(records: readonly Input[], options?: CallOptions): Call<CreateReport<Id>, Code>;
}

export interface Updates<Where, Data, Id, Code extends ErrorCode = ErrorCode> {
  update(change: { where: Where; data: Data }, options?: CallOptions): Call<Updated<Id>, Code>;
}

export interface UpdatesMany<Input, Id, Code extends ErrorCode = ErrorCode> {
  updateMany(records: readonly Input[], options?: CallOptions): Call<UpdateReport<Id>, Code>;
}

export interface Upserts<Input, Id, Code extends ErrorCode = ErrorCode> {
  upsert(record: Input, options?: CallOptions): Call<{ id: Id }, Code>;
}

/** The rows of a delete or destroy: by filters, or all or none of some ids. */
export type Removal<Where, Id> =
  | { where: Where; ids?: undefined }
  | { ids: readonly Id[]; where?: undefined };

export interface Deletes<Where, Id, Code extends ErrorCode = ErrorCode> {
  delete(rows: Removal<Where, Id>, options?: CallOptions): Call<Deleted<Id>, Code>;
}

export interface Destroys<Where, Id, Code extends ErrorCode = ErrorCode> {
  destroy(rows: Removal<Where, Id>, options?: CallOptions): Call<Destroyed<Id>, Code>;
}

export interface Restores<Where, Data, Id, Code extends ErrorCode = ErrorCode> {
  restore(rows: { where: Where; data?: Data }, options?: CallOptions): Call<Restored<Id>, Code>;
}

export interface CreateReport<Id> {
  inserted_count: number;
  inserted_ids: Id[];
  failed_count: number;
  failed_records: FailedRecord[];
  total_attempted: number;
}

export interface UpdateReport<Id> {
  updated_count: number;
  updated_ids: Id[];
  failed_count: number;
  failed_records: FailedRecord[];
  total_attempted: number;
}

export interface FailedRecord {
  /** The position in the list that was sent, counted from 0. */
  index: number;
  error: string;
  message: string;
  field?: string;
  check?: string;
}

export interface Updated<Id> {
  updated_count: number;
  updated_ids: Id[];
}

export interface Deleted<Id> {
  deleted_count: number;
  deleted_ids: Id[];
}

export interface Destroyed<Id> {
  destroyed_count: number;
  destroyed_ids: Id[];
}

export interface Restored<Id> {
  restored_count: number;
  restored_ids: Id[];
}

/** A file of React Native. */
export interface NativeFile {
  uri: string;
  name: string;
  type: string;
}

/** What every upload takes; the app's part adds the other fields of its form. */
export interface Upload {
  file: Blob | NativeFile;
  onProgress?: (progress: { loaded: number; total: number }) => void;
}

/** A page of stored files; `for await` gives the files of this page and of all pages after it. */
export interface FilePages<Data, Item, Code extends ErrorCode>
  extends Call<Data, Code>,
    AsyncIterable<Item> {}

/** A GraphQL document that knows its types, as GraphQL Code Generator makes it: `TypedDocumentString` or `TypedDocumentNode`. */
export interface TypedDocument<Data, Variables> {
  __apiType?: (variables: Variables) => Data;
}

/** Variables and options of a GraphQL call; variables can be missing where none is required. */
export type GraphqlArguments<Variables> =
  Record<never, never> extends Variables
    ? [variables?: Variables, options?: CallOptions]
    : [variables: Variables, options?: CallOptions];

/** `client.graphql`. */
export interface SendsGraphql<Code extends ErrorCode = ErrorCode> {
  <Data, Variables>(
    document: TypedDocument<Data, Variables>,
    ...rest: GraphqlArguments<Variables>
  ): Call<Data, Code>;
  <Data = Record<string, unknown>, Variables = Record<string, unknown>>(
    document: string,
    ...rest: GraphqlArguments<Variables>
  ): Call<Data, Code>;
}
