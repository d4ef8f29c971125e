// Made by `kirak client` from the models of the service. Edit those, not this file.
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
export type Result<Data, Code extends ErrorCode> = {
    ok: true;
    data: Data;
    error?: undefined;
} | {
    ok: false;
    data?: undefined;
    error: Failure<Code>;
};
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
export type Selected<Row, Field extends keyof Row> = {
    [K in Field]-?: Exclude<Row[K], undefined>;
};
export interface Fetches<Row, Where, Field extends string & keyof Row, Id, Code extends ErrorCode = ErrorCode> {
    fetch(query?: ReadQuery<Where, Field> & {
        select?: undefined;
    }, options?: CallOptions): Query<Row, Code>;
    fetch<const F extends Field>(query: ReadQuery<Where, Field> & {
        select: readonly F[];
    }, options?: CallOptions): Query<Selected<Row, F>, Code>;
    get(id: Id, options?: CallOptions): Call<Row | null, Code>;
}
export interface Searches<Row, Where, Field extends string & keyof Row, Code extends ErrorCode = ErrorCode> {
    search(term: string, query?: ReadQuery<Where, Field> & {
        select?: undefined;
    }, options?: CallOptions): Query<Row, Code>;
    search<const F extends Field>(term: string, query: ReadQuery<Where, Field> & {
        select: readonly F[];
    }, options?: CallOptions): Query<Selected<Row, F>, Code>;
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
    update(change: {
        where: Where;
        data: Data;
    }, options?: CallOptions): Call<Updated<Id>, Code>;
}
export interface UpdatesMany<Input, Id, Code extends ErrorCode = ErrorCode> {
    updateMany(records: readonly Input[], options?: CallOptions): Call<UpdateReport<Id>, Code>;
}
export interface Upserts<Input, Id, Code extends ErrorCode = ErrorCode> {
    upsert(record: Input, options?: CallOptions): Call<{
        id: Id;
    }, Code>;
}
/** The rows of a delete or destroy: by filters, or all or none of some ids. */
export type Removal<Where, Id> = {
    where: Where;
    ids?: undefined;
} | {
    ids: readonly Id[];
    where?: undefined;
};
export interface Deletes<Where, Id, Code extends ErrorCode = ErrorCode> {
    delete(rows: Removal<Where, Id>, options?: CallOptions): Call<Deleted<Id>, Code>;
}
export interface Destroys<Where, Id, Code extends ErrorCode = ErrorCode> {
    destroy(rows: Removal<Where, Id>, options?: CallOptions): Call<Destroyed<Id>, Code>;
}
export interface Restores<Where, Data, Id, Code extends ErrorCode = ErrorCode> {
    restore(rows: {
        where: Where;
        data?: Data;
    }, options?: CallOptions): Call<Restored<Id>, Code>;
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
    onProgress?: (progress: {
        loaded: number;
        total: number;
    }) => void;
}
/** A page of stored files; `for await` gives the files of this page and of all pages after it. */
export interface FilePages<Data, Item, Code extends ErrorCode> extends Call<Data, Code>, AsyncIterable<Item> {
}
/** A GraphQL document that knows its types, as GraphQL Code Generator makes it: `TypedDocumentString` or `TypedDocumentNode`. */
export interface TypedDocument<Data, Variables> {
    __apiType?: (variables: Variables) => Data;
}
/** Variables and options of a GraphQL call; variables can be missing where none is required. */
export type GraphqlArguments<Variables> = Record<never, never> extends Variables ? [variables?: Variables, options?: CallOptions] : [variables: Variables, options?: CallOptions];
/** `client.graphql`. */
export interface SendsGraphql<Code extends ErrorCode = ErrorCode> {
    <Data, Variables>(document: TypedDocument<Data, Variables>, ...rest: GraphqlArguments<Variables>): Call<Data, Code>;
    <Data = Record<string, unknown>, Variables = Record<string, unknown>>(document: string, ...rest: GraphqlArguments<Variables>): Call<Data, Code>;
}
/** What an error has by its code. The status is 0 where no answer was received. */
export interface ErrorTable {
    NETWORK_ERROR: {
        status: 0;
        details?: undefined;
        retryAfter?: undefined;
    };
    TIMEOUT: {
        status: 0;
        details?: undefined;
        retryAfter?: undefined;
    };
    ABORTED: {
        status: 0;
        details?: undefined;
        retryAfter?: undefined;
    };
    UNEXPECTED_ANSWER: {
        status: number;
        details?: undefined;
        retryAfter?: number;
    };
}
export type ErrorCode = keyof ErrorTable;
/** Codes that every call can fail with. */
export type ClientCode = "NETWORK_ERROR" | "TIMEOUT" | "ABORTED" | "UNEXPECTED_ANSWER";
/** A failed call. `error` is stable; the message is for people. `details` and `retryAfter` are in `Failure`, by code. */
export declare class ApiError extends Error {
    readonly error: ErrorCode;
    readonly status: number;
    readonly requestId: string | null;
    constructor(error: string, message: string, facts?: ErrorFacts);
}
export interface ErrorFacts {
    status?: number;
    requestId?: string | null;
    cause?: unknown;
    details?: unknown;
    /** Seconds. */
    retryAfter?: number | undefined;
}
export declare function isApiError(thrown: unknown): thrown is Failure;
export type Failure<Code extends ErrorCode = ErrorCode> = Code extends ErrorCode ? ApiError & {
    readonly error: Code;
} & Readonly<ErrorTable[Code]> : never;
/** Whether a field is null. */
export interface NullFilter {
    is_null?: boolean;
}
/** A list is equal to another, has all of some elements, or has one of them. */
export interface ListFilter<Item> extends NullFilter {
    eq?: readonly Item[];
    contains?: readonly Item[];
    overlaps?: readonly Item[];
}
export interface EqualFilter<Value> extends NullFilter {
    eq?: Value;
    ne?: Value;
    in?: readonly Value[];
    not_in?: readonly Value[];
}
export interface OrderFilter<Value> extends EqualFilter<Value> {
    gt?: Value;
    gte?: Value;
    lt?: Value;
    lte?: Value;
    /** Both ends included. */
    between?: readonly [Value, Value];
}
/** In a pattern, `%` stands for any text and `_` for one character; `ilike` ignores case. */
export interface TextFilter extends OrderFilter<string> {
    like?: string;
    ilike?: string;
}
/** Keeps the session in `localStorage`, for all tabs; in memory where that does not exist or is closed. */
export declare function browserStorage(key: string): SessionStore;
/** Authors of the books. Everyone can read them; staff edit them. */
export interface Authors {
    id: number;
    name: string;
    /** ISO 3166-1 alpha-2 code, such as `NL`. */
    country: string | null;
    born_on: string | null;
    biography: string | null;
    website: string | null;
    /** For the shop only, about readings and royalties. */
    contact_email?: string | null;
    royalty_percent?: number;
    created_at: string;
    updated_at: string;
}
export interface AuthorsInput {
    name?: string | undefined;
    /** ISO 3166-1 alpha-2 code, such as `NL`. */
    country?: string | null | undefined;
    born_on?: string | null | undefined;
    biography?: string | null | undefined;
    website?: string | null | undefined;
    /** For the shop only, about readings and royalties. */
    contact_email?: string | null | undefined;
    royalty_percent?: number | undefined;
}
export interface AuthorsCreate extends AuthorsInput {
    name: string;
}
export interface AuthorsUpdate extends AuthorsInput {
}
export interface AuthorsUpsert extends AuthorsInput {
    name: string;
    id?: number | undefined;
}
export interface AuthorsWhere {
    id?: number | OrderFilter<number> | null;
    name?: string | TextFilter | null;
    country?: string | TextFilter | null;
    born_on?: string | OrderFilter<string> | null;
    biography?: string | TextFilter | null;
    website?: string | TextFilter | null;
    contact_email?: string | TextFilter | null;
    royalty_percent?: number | OrderFilter<number> | null;
    created_at?: string | OrderFilter<string> | null;
    updated_at?: string | OrderFilter<string> | null;
}
export type AuthorsField = "id" | "name" | "country" | "born_on" | "biography" | "website" | "contact_email" | "royalty_percent" | "created_at" | "updated_at";
export interface AuthorsApi extends Fetches<Authors, AuthorsWhere, AuthorsField, number, FetchCode>, Searches<Authors, AuthorsWhere, AuthorsField, FetchCode>, Counts<AuthorsWhere, FetchCode>, Exists<AuthorsWhere, FetchCode>, Creates<AuthorsCreate, Authors, FetchCode>, CreatesMany<AuthorsCreate, number, FetchCode>, Updates<AuthorsWhere, AuthorsUpdate, number, UpdateCode>, UpdatesMany<AuthorsUpdate & {
    id: number;
}, number, UpdateCode>, Upserts<AuthorsUpsert, number, UpdateCode>, Deletes<AuthorsWhere, number, UpdateCode> {
}
/** Books that the shop sells. Guests see published books; customers also see books that are out of print. */
export interface Books {
    id: number;
    title: string;
    subtitle: string | null;
    /** ISBN-13. The server removes hyphens and spaces, and verifies the check digit. */
    isbn: string;
    /** Last segment of the URL of the book's page. By default made from title and ISBN. */
    slug: string;
    author_id: number;
    status: "draft" | "published" | "out_of_print";
    /** Start of publication. Can be in the future. */
    published_at: string | null;
    /** Publication date of this edition. */
    released_on: string | null;
    format: "hardback" | "paperback" | "audio" | "ebook";
    language: string;
    pages: number | null;
    price: string;
    /** Purchase price. Hidden from customers. */
    cost?: string | null;
    /** Copies on the shelf. Orders reduce it. */
    stock: number;
    featured: boolean;
    /** Mean of the approved reviews, or null. The hooks of `reviews` update it. */
    average_rating: number | null;
    blurb: string | null;
    /** Any JSON, such as awards, translators or dimensions. */
    details: unknown;
    created_at: string;
    updated_at?: string;
    deleted_at: string | null;
}
export interface BooksInput {
    title?: string | undefined;
    subtitle?: string | null | undefined;
    /** ISBN-13. The server removes hyphens and spaces, and verifies the check digit. */
    isbn?: string | undefined;
    /** Last segment of the URL of the book's page. By default made from title and ISBN. */
    slug?: string | undefined;
    author_id?: number | undefined;
    status?: "draft" | "published" | "out_of_print" | undefined;
    /** Start of publication. Can be in the future. */
    published_at?: string | null | undefined;
    /** Publication date of this edition. */
    released_on?: string | null | undefined;
    format?: "hardback" | "paperback" | "audio" | "ebook" | undefined;
    language?: string | undefined;
    pages?: number | null | undefined;
    price?: string | number | undefined;
    /** Purchase price. Hidden from customers. */
    cost?: string | number | null | undefined;
    /** Copies on the shelf. Orders reduce it. */
    stock?: number | undefined;
    featured?: boolean | undefined;
    blurb?: string | null | undefined;
    /** Any JSON, such as awards, translators or dimensions. */
    details?: unknown;
}
export interface BooksCreate extends BooksInput {
    title: string;
    isbn: string;
    author_id: number;
    price: string | number;
}
export interface BooksUpdate extends BooksInput {
}
export interface BooksUpsert extends BooksInput {
    title: string;
    isbn: string;
    author_id: number;
    price: string | number;
    id?: number | undefined;
}
export interface BooksWhere {
    id?: number | OrderFilter<number> | null;
    title?: string | TextFilter | null;
    subtitle?: string | TextFilter | null;
    isbn?: string | TextFilter | null;
    slug?: string | TextFilter | null;
    author_id?: number | OrderFilter<number> | null;
    status?: "draft" | "published" | "out_of_print" | EqualFilter<"draft" | "published" | "out_of_print"> | null;
    published_at?: string | OrderFilter<string> | null;
    released_on?: string | OrderFilter<string> | null;
    format?: "hardback" | "paperback" | "audio" | "ebook" | EqualFilter<"hardback" | "paperback" | "audio" | "ebook"> | null;
    language?: string | TextFilter | null;
    pages?: number | OrderFilter<number> | null;
    price?: string | number | OrderFilter<string | number> | null;
    cost?: string | number | OrderFilter<string | number> | null;
    stock?: number | OrderFilter<number> | null;
    featured?: boolean | EqualFilter<boolean> | null;
    average_rating?: number | OrderFilter<number> | null;
    blurb?: string | TextFilter | null;
    details?: NullFilter | null;
    created_at?: string | OrderFilter<string> | null;
    updated_at?: string | OrderFilter<string> | null;
}
export type BooksField = "id" | "title" | "subtitle" | "isbn" | "slug" | "author_id" | "status" | "published_at" | "released_on" | "format" | "language" | "pages" | "price" | "cost" | "stock" | "featured" | "average_rating" | "blurb" | "details" | "created_at" | "updated_at" | "deleted_at";
export interface BooksApi extends Fetches<Books, BooksWhere, BooksField, number, FetchCode2>, Searches<Books, BooksWhere, BooksField, FetchCode2>, Counts<BooksWhere, FetchCode2>, Exists<BooksWhere, FetchCode2>, Creates<BooksCreate, Books, FetchCode2>, CreatesMany<BooksCreate, number, FetchCode2>, Updates<BooksWhere, BooksUpdate, number, UpdateCode2>, UpdatesMany<BooksUpdate & {
    id: number;
}, number, UpdateCode2>, Upserts<BooksUpsert, number, UpdateCode2>, Deletes<BooksWhere, number, UpdateCode2>, Destroys<BooksWhere, number, UpdateCode2>, Restores<BooksWhere, BooksInput, number, UpdateCode2> {
}
/** Customers of the shop. Each customer sees and edits only their own row. */
export interface Customers {
    id: number;
    /** The account. Orders and reviews refer to this field, so their rules need no second join. */
    user_id: number;
    name: string;
    /** Contact address. It is not verified, so it is not unique. */
    email: string;
    /** E.164, such as `+31201234567`. */
    phone: string | null;
    birthday: string | null;
    loyalty_tier: "bronze" | "silver" | "gold";
    newsletter: boolean;
    favourite_genre: string | null;
    /** Language of the shop's messages to the customer. */
    language: string;
    /** Hidden from the customer. */
    staff_notes?: string | null;
    created_at: string;
    updated_at: string;
}
export interface CustomersInput {
    /** The account. Orders and reviews refer to this field, so their rules need no second join. */
    user_id?: number | undefined;
    name?: string | undefined;
    /** Contact address. It is not verified, so it is not unique. */
    email?: string | undefined;
    /** E.164, such as `+31201234567`. */
    phone?: string | null | undefined;
    birthday?: string | null | undefined;
    loyalty_tier?: "bronze" | "silver" | "gold" | undefined;
    newsletter?: boolean | undefined;
    /** The customer says it to collect an order. Stored as a bcrypt hash, never returned. */
    pickup_pin?: string | null | undefined;
    favourite_genre?: string | null | undefined;
    /** Language of the shop's messages to the customer. */
    language?: string | undefined;
    /** Hidden from the customer. */
    staff_notes?: string | null | undefined;
}
export interface CustomersCreate extends CustomersInput {
    user_id: number;
    name: string;
    email: string;
}
export interface CustomersUpdate extends CustomersInput {
}
export interface CustomersUpsert extends CustomersInput {
    user_id: number;
    name: string;
    email: string;
    id?: number | undefined;
}
export interface CustomersWhere {
    id?: number | OrderFilter<number> | null;
    user_id?: number | OrderFilter<number> | null;
    name?: string | TextFilter | null;
    email?: string | TextFilter | null;
    phone?: string | TextFilter | null;
    birthday?: string | OrderFilter<string> | null;
    loyalty_tier?: "bronze" | "silver" | "gold" | EqualFilter<"bronze" | "silver" | "gold"> | null;
    newsletter?: boolean | EqualFilter<boolean> | null;
    favourite_genre?: string | TextFilter | null;
    language?: string | TextFilter | null;
    staff_notes?: string | TextFilter | null;
    created_at?: string | OrderFilter<string> | null;
    updated_at?: string | OrderFilter<string> | null;
}
export type CustomersField = "id" | "user_id" | "name" | "email" | "phone" | "birthday" | "loyalty_tier" | "newsletter" | "favourite_genre" | "language" | "staff_notes" | "created_at" | "updated_at";
export interface CustomersApi extends Fetches<Customers, CustomersWhere, CustomersField, number, FetchCode>, Searches<Customers, CustomersWhere, CustomersField, FetchCode>, Counts<CustomersWhere, FetchCode>, Exists<CustomersWhere, FetchCode>, Creates<CustomersCreate, Customers, FetchCode>, CreatesMany<CustomersCreate, number, FetchCode>, Updates<CustomersWhere, CustomersUpdate, number, UpdateCode>, UpdatesMany<CustomersUpdate & {
    id: number;
}, number, UpdateCode>, Upserts<CustomersUpsert, number, UpdateCode>, Deletes<CustomersWhere, number, UpdateCode> {
}
/** Orders. A customer may change an order while it is pending. */
export interface Orders {
    id: string;
    /** Order number for customers. The server sets it. */
    reference: string;
    /** Idempotency key: the client chooses it, so a repeated request does not order twice. */
    client_token: string | null;
    /** The account of the customer: refers to `customers.user_id`. */
    customer_id: number;
    /** Staff change the status. A customer can change the order while it is pending. */
    status: "pending" | "paid" | "shipped" | "delivered" | "cancelled";
    placed_at: string;
    /** Sum of the lines. The hooks of `order_items` update it. */
    total: string;
    /** The gift card of the order. Staff set it. */
    gift_card_id: string | null;
    /** Recipient of the parcel. Without an address, the customer collects the order. */
    shipping_name: string | null;
    /** Street and house number. */
    shipping_street: string | null;
    /** Postcode of the address. */
    shipping_postcode: string | null;
    /** City of the address. */
    shipping_city: string | null;
    /** A message of the customer to the shop. */
    note: string | null;
    created_at: string;
    updated_at: string;
}
export interface OrdersInput {
    /** Idempotency key: the client chooses it, so a repeated request does not order twice. */
    client_token?: string | null | undefined;
    /** The account of the customer: refers to `customers.user_id`. */
    customer_id?: number | undefined;
    /** Staff change the status. A customer can change the order while it is pending. */
    status?: "pending" | "paid" | "shipped" | "delivered" | "cancelled" | undefined;
    /** The gift card of the order. Staff set it. */
    gift_card_id?: string | null | undefined;
    /** Recipient of the parcel. Without an address, the customer collects the order. */
    shipping_name?: string | null | undefined;
    /** Street and house number. */
    shipping_street?: string | null | undefined;
    /** Postcode of the address. */
    shipping_postcode?: string | null | undefined;
    /** City of the address. */
    shipping_city?: string | null | undefined;
    /** A message of the customer to the shop. */
    note?: string | null | undefined;
}
export interface OrdersCreate extends OrdersInput {
    id?: string | undefined;
}
export interface OrdersUpdate extends OrdersInput {
}
export interface OrdersWhere {
    id?: string | EqualFilter<string> | null;
    reference?: string | TextFilter | null;
    client_token?: string | EqualFilter<string> | null;
    customer_id?: number | OrderFilter<number> | null;
    status?: "pending" | "paid" | "shipped" | "delivered" | "cancelled" | EqualFilter<"pending" | "paid" | "shipped" | "delivered" | "cancelled"> | null;
    placed_at?: string | OrderFilter<string> | null;
    total?: string | number | OrderFilter<string | number> | null;
    gift_card_id?: string | EqualFilter<string> | null;
    shipping_name?: string | TextFilter | null;
    shipping_street?: string | TextFilter | null;
    shipping_postcode?: string | TextFilter | null;
    shipping_city?: string | TextFilter | null;
    note?: string | TextFilter | null;
    created_at?: string | OrderFilter<string> | null;
    updated_at?: string | OrderFilter<string> | null;
}
export type OrdersField = "id" | "reference" | "client_token" | "customer_id" | "status" | "placed_at" | "total" | "gift_card_id" | "shipping_name" | "shipping_street" | "shipping_postcode" | "shipping_city" | "note" | "created_at" | "updated_at";
export interface OrdersApi extends Fetches<Orders, OrdersWhere, OrdersField, string, FetchCode2>, Searches<Orders, OrdersWhere, OrdersField, FetchCode2>, Counts<OrdersWhere, FetchCode2>, Exists<OrdersWhere, FetchCode2>, Creates<OrdersCreate, Orders, FetchCode2>, CreatesMany<OrdersCreate, string, FetchCode2>, Updates<OrdersWhere, OrdersUpdate, string, UpdateCode2>, UpdatesMany<OrdersUpdate & {
    id: string;
}, string, UpdateCode2>, Deletes<OrdersWhere, string, UpdateCode2> {
}
/** Lines of an order. A removed line stays as a soft-deleted row, for accounting. */
export interface OrderItems {
    id: number;
    /** The order, which must be pending. */
    order_id: string;
    /** The book. An order has one line for each book. */
    book_id: number;
    /** Number of copies. */
    quantity: number;
    /** Price of the book at the time of the order. The server copies it from the book. */
    unit_price: string;
    created_at: string;
    updated_at: string;
    deleted_at: string | null;
}
export interface OrderItemsInput {
    /** The order, which must be pending. */
    order_id?: string | undefined;
    /** The book. An order has one line for each book. */
    book_id?: number | undefined;
    /** Number of copies. */
    quantity?: number | undefined;
}
export interface OrderItemsCreate extends OrderItemsInput {
    order_id: string;
    book_id: number;
}
export interface OrderItemsWhere {
    id?: number | OrderFilter<number> | null;
    order_id?: string | EqualFilter<string> | null;
    book_id?: number | OrderFilter<number> | null;
    quantity?: number | OrderFilter<number> | null;
    unit_price?: string | number | OrderFilter<string | number> | null;
    created_at?: string | OrderFilter<string> | null;
    updated_at?: string | OrderFilter<string> | null;
}
export type OrderItemsField = "id" | "order_id" | "book_id" | "quantity" | "unit_price" | "created_at" | "updated_at" | "deleted_at";
export interface OrderItemsApi extends Fetches<OrderItems, OrderItemsWhere, OrderItemsField, number, FetchCode2>, Counts<OrderItemsWhere, FetchCode2>, Exists<OrderItemsWhere, FetchCode2>, Creates<OrderItemsCreate, OrderItems, FetchCode2>, CreatesMany<OrderItemsCreate, number, FetchCode2>, Deletes<OrderItemsWhere, number, UpdateCode2> {
}
/** The parcel of an order, at most one. */
export interface Shipments {
    id: number;
    order_id: string;
    carrier: "PostNL" | "DHL" | "UPS" | "bicycle";
    tracking_code: string | null;
    weight_kg: number | null;
    shipped_at: string | null;
    delivered_at: string | null;
    created_at: string;
    updated_at: string;
}
export interface ShipmentsInput {
    order_id?: string | undefined;
    carrier?: "PostNL" | "DHL" | "UPS" | "bicycle" | undefined;
    tracking_code?: string | null | undefined;
    weight_kg?: number | null | undefined;
    shipped_at?: string | null | undefined;
    delivered_at?: string | null | undefined;
}
export interface ShipmentsCreate extends ShipmentsInput {
    order_id: string;
    carrier: "PostNL" | "DHL" | "UPS" | "bicycle";
}
export interface ShipmentsUpdate extends ShipmentsInput {
}
export interface ShipmentsWhere {
    id?: number | OrderFilter<number> | null;
    order_id?: string | EqualFilter<string> | null;
    carrier?: "PostNL" | "DHL" | "UPS" | "bicycle" | EqualFilter<"PostNL" | "DHL" | "UPS" | "bicycle"> | null;
    tracking_code?: string | TextFilter | null;
    weight_kg?: number | OrderFilter<number> | null;
    shipped_at?: string | OrderFilter<string> | null;
    delivered_at?: string | OrderFilter<string> | null;
    created_at?: string | OrderFilter<string> | null;
    updated_at?: string | OrderFilter<string> | null;
}
export type ShipmentsField = "id" | "order_id" | "carrier" | "tracking_code" | "weight_kg" | "shipped_at" | "delivered_at" | "created_at" | "updated_at";
export interface ShipmentsApi extends Fetches<Shipments, ShipmentsWhere, ShipmentsField, number, FetchCode2>, Counts<ShipmentsWhere, FetchCode2>, Exists<ShipmentsWhere, FetchCode2>, Creates<ShipmentsCreate, Shipments, FetchCode2>, CreatesMany<ShipmentsCreate, number, FetchCode2>, Updates<ShipmentsWhere, ShipmentsUpdate, number, UpdateCode2>, UpdatesMany<ShipmentsUpdate & {
    id: number;
}, number, UpdateCode2>, Deletes<ShipmentsWhere, number, UpdateCode2> {
}
/** One review per customer and book. Guests see approved reviews; customers also see their own. */
export interface Reviews {
    id: number;
    /** The customer can change it until staff approve or reject the review. */
    book_id: number;
    /** The account of the author: refers to `customers.user_id`. */
    customer_id: number;
    /** Stars. */
    rating: number;
    title: string;
    body: string | null;
    status: "pending" | "approved" | "rejected";
    /** The server sets it when the status changes. */
    moderated_at?: string | null;
    created_at: string;
    updated_at: string;
    deleted_at: string | null;
}
export interface ReviewsInput {
    /** The customer can change it until staff approve or reject the review. */
    book_id?: number | undefined;
    /** The account of the author: refers to `customers.user_id`. */
    customer_id?: number | undefined;
    /** Stars. */
    rating?: number | undefined;
    title?: string | undefined;
    body?: string | null | undefined;
    status?: "pending" | "approved" | "rejected" | undefined;
}
export interface ReviewsCreate extends ReviewsInput {
    book_id: number;
    rating: number;
    title: string;
}
export interface ReviewsUpdate extends ReviewsInput {
}
export interface ReviewsUpsert extends ReviewsInput {
    book_id: number;
    rating: number;
    title: string;
    id?: number | undefined;
}
export interface ReviewsWhere {
    id?: number | OrderFilter<number> | null;
    book_id?: number | OrderFilter<number> | null;
    customer_id?: number | OrderFilter<number> | null;
    rating?: number | OrderFilter<number> | null;
    title?: string | TextFilter | null;
    body?: string | TextFilter | null;
    status?: "pending" | "approved" | "rejected" | EqualFilter<"pending" | "approved" | "rejected"> | null;
    moderated_at?: string | OrderFilter<string> | null;
    created_at?: string | OrderFilter<string> | null;
    updated_at?: string | OrderFilter<string> | null;
}
export type ReviewsField = "id" | "book_id" | "customer_id" | "rating" | "title" | "body" | "status" | "moderated_at" | "created_at" | "updated_at" | "deleted_at";
export interface ReviewsApi extends Fetches<Reviews, ReviewsWhere, ReviewsField, number, FetchCode2>, Searches<Reviews, ReviewsWhere, ReviewsField, FetchCode2>, Counts<ReviewsWhere, FetchCode2>, Exists<ReviewsWhere, FetchCode2>, Creates<ReviewsCreate, Reviews, FetchCode2>, CreatesMany<ReviewsCreate, number, FetchCode2>, Updates<ReviewsWhere, ReviewsUpdate, number, UpdateCode2>, UpdatesMany<ReviewsUpdate & {
    id: number;
}, number, UpdateCode2>, Upserts<ReviewsUpsert, number, UpdateCode2>, Deletes<ReviewsWhere, number, UpdateCode2>, Restores<ReviewsWhere, ReviewsInput, number, UpdateCode2> {
}
/** Gift cards. The user with a card's e-mail address can read the card. */
export interface GiftCards {
    id: string;
    code: string;
    amount: "10.00" | "25.00" | "50.00" | "100.00";
    recipient_email: string;
    message: string | null;
    expires_on: string;
    redeemed_at: string | null;
    created_at: string;
    updated_at: string;
}
export interface GiftCardsInput {
    code?: string | undefined;
    amount?: "10.00" | "25.00" | "50.00" | "100.00" | 10 | 25 | 50 | 100 | undefined;
    recipient_email?: string | undefined;
    message?: string | null | undefined;
    expires_on?: string | undefined;
    redeemed_at?: string | null | undefined;
}
export interface GiftCardsCreate extends GiftCardsInput {
    code: string;
    amount: "10.00" | "25.00" | "50.00" | "100.00" | 10 | 25 | 50 | 100;
    recipient_email: string;
    expires_on: string;
    id?: string | undefined;
}
export interface GiftCardsUpdate extends GiftCardsInput {
}
export interface GiftCardsUpsert extends GiftCardsInput {
    code: string;
    amount: "10.00" | "25.00" | "50.00" | "100.00" | 10 | 25 | 50 | 100;
    recipient_email: string;
    expires_on: string;
    id?: string | undefined;
}
export interface GiftCardsWhere {
    id?: string | EqualFilter<string> | null;
    code?: string | TextFilter | null;
    amount?: "10.00" | "25.00" | "50.00" | "100.00" | 10 | 25 | 50 | 100 | EqualFilter<"10.00" | "25.00" | "50.00" | "100.00" | 10 | 25 | 50 | 100> | null;
    recipient_email?: string | TextFilter | null;
    message?: string | TextFilter | null;
    expires_on?: string | OrderFilter<string> | null;
    redeemed_at?: string | OrderFilter<string> | null;
    created_at?: string | OrderFilter<string> | null;
    updated_at?: string | OrderFilter<string> | null;
}
export type GiftCardsField = "id" | "code" | "amount" | "recipient_email" | "message" | "expires_on" | "redeemed_at" | "created_at" | "updated_at";
export interface GiftCardsApi extends Fetches<GiftCards, GiftCardsWhere, GiftCardsField, string, FetchCode>, Searches<GiftCards, GiftCardsWhere, GiftCardsField, FetchCode>, Counts<GiftCardsWhere, FetchCode>, Exists<GiftCardsWhere, FetchCode>, Creates<GiftCardsCreate, GiftCards, FetchCode>, CreatesMany<GiftCardsCreate, string, FetchCode>, Updates<GiftCardsWhere, GiftCardsUpdate, string, UpdateCode>, UpdatesMany<GiftCardsUpdate & {
    id: string;
}, string, UpdateCode>, Upserts<GiftCardsUpsert, string, UpdateCode> {
}
/** Messages for one role or for everyone. */
export interface Announcements {
    id: number;
    title: string;
    body: string | null;
    /** A role, or everyone. */
    audience: "everyone" | "guest" | "user" | "staff" | "admin";
    starts_at: string;
    ends_at: string | null;
    created_at: string;
    updated_at: string;
}
export interface AnnouncementsInput {
    title?: string | undefined;
    body?: string | null | undefined;
    /** A role, or everyone. */
    audience?: "everyone" | "guest" | "user" | "staff" | "admin" | undefined;
    starts_at?: string | undefined;
    ends_at?: string | null | undefined;
}
export interface AnnouncementsCreate extends AnnouncementsInput {
    title: string;
    starts_at: string;
}
export interface AnnouncementsUpdate extends AnnouncementsInput {
}
export interface AnnouncementsUpsert extends AnnouncementsInput {
    title: string;
    starts_at: string;
    id?: number | undefined;
}
export interface AnnouncementsWhere {
    id?: number | OrderFilter<number> | null;
    title?: string | TextFilter | null;
    body?: string | TextFilter | null;
    audience?: "everyone" | "guest" | "user" | "staff" | "admin" | EqualFilter<"everyone" | "guest" | "user" | "staff" | "admin"> | null;
    starts_at?: string | OrderFilter<string> | null;
    ends_at?: string | OrderFilter<string> | null;
    created_at?: string | OrderFilter<string> | null;
    updated_at?: string | OrderFilter<string> | null;
}
export type AnnouncementsField = "id" | "title" | "body" | "audience" | "starts_at" | "ends_at" | "created_at" | "updated_at";
export interface AnnouncementsApi extends Fetches<Announcements, AnnouncementsWhere, AnnouncementsField, number, FetchCode>, Counts<AnnouncementsWhere, FetchCode>, Exists<AnnouncementsWhere, FetchCode>, Creates<AnnouncementsCreate, Announcements, FetchCode>, CreatesMany<AnnouncementsCreate, number, FetchCode>, Updates<AnnouncementsWhere, AnnouncementsUpdate, number, UpdateCode>, UpdatesMany<AnnouncementsUpdate & {
    id: number;
}, number, UpdateCode>, Upserts<AnnouncementsUpsert, number, UpdateCode>, Deletes<AnnouncementsWhere, number, UpdateCode> {
}
export interface Models {
    /** Authors of the books. Everyone can read them; staff edit them. */
    readonly authors: AuthorsApi;
    /** Books that the shop sells. Guests see published books; customers also see books that are out of print. */
    readonly books: BooksApi;
    /** Customers of the shop. Each customer sees and edits only their own row. */
    readonly customers: CustomersApi;
    /** Orders. A customer may change an order while it is pending. */
    readonly orders: OrdersApi;
    /** Lines of an order. A removed line stays as a soft-deleted row, for accounting. */
    readonly order_items: OrderItemsApi;
    /** The parcel of an order, at most one. */
    readonly shipments: ShipmentsApi;
    /** One review per customer and book. Guests see approved reviews; customers also see their own. */
    readonly reviews: ReviewsApi;
    /** Gift cards. The user with a card's e-mail address can read the card. */
    readonly gift_cards: GiftCardsApi;
    /** Messages for one role or for everyone. */
    readonly announcements: AnnouncementsApi;
}
export interface OwnAccount {
    /** Change the profile of the signed-in user */
    update(input: AuthPatchMeInput, options?: CallOptions): Call<OwnUser, AuthPatchMeCode>;
    /** Mail a link that changes the e-mail address. The answer does not tell whether the address has an account. */
    changeEmail(input: AuthChangeEmailInput, options?: CallOptions): Call<AuthChangeEmailAnswer, AuthChangeEmailCode>;
    /** Withdraw a change of the e-mail address */
    cancelChangeEmail(options?: CallOptions): Call<{
        [name: string]: unknown;
    }, AuthDeleteChangeEmailCode>;
    /** Set the new e-mail address with the token of a link. It uses the link up. Sessions stay. */
    confirmChangeEmail(input: AuthChangeEmailConfirmInput, options?: CallOptions): Call<AuthChangeEmailConfirmAnswer, AuthChangeEmailConfirmCode>;
    /** Get the account of the signed-in user. It has the ways to sign in, and the changes that wait for a confirmation. */
    get(options?: CallOptions): Call<AuthGetAccountAnswer, AuthGetAccountCode>;
    /** Set the password of an account without one. It ends no session. */
    setPassword(input: AuthSetPasswordInput, options?: CallOptions): Call<{
        [name: string]: unknown;
    }, AuthSetPasswordCode>;
    /** Remove the password. It ends all other sessions. */
    removePassword(options?: CallOptions): Call<{
        [name: string]: unknown;
    }, AuthDeletePasswordCode>;
    /** Send a code that changes the phone number. The answer does not tell whether another account has the number. After 4 codes in an hour the answer is 429. */
    changePhone(input: AuthChangePhoneInput, options?: CallOptions): Call<AuthChangePhoneAnswer, AuthChangeEmailCode>;
    /** Set the new phone number with the code. Only the session that asked for the code can use it. */
    confirmChangePhone(input: AuthChangePhoneConfirmInput, options?: CallOptions): Call<AuthChangePhoneConfirmAnswer, AuthChangePhoneConfirmCode>;
    /** Remove the phone number */
    removePhone(options?: CallOptions): Call<{
        [name: string]: unknown;
    }, AuthDeletePhoneCode>;
}
export interface ApiKeys {
    /** Create an API key. Only this answer has the key itself. Administrators can create keys of other users. */
    create(input?: AuthCreateApiKeyInput, options?: CallOptions): Call<AuthCreateApiKeyAnswer, AuthCreateApiKeyCode>;
    /** List API keys */
    list(input?: AuthListApiKeysInput, options?: CallOptions): Call<ApiKey[], AuthListApiKeysCode>;
    /** Revoke an API key. Administrators can revoke keys of other users. */
    revoke(input: AuthRevokeApiKeyInput, options?: CallOptions): Call<{
        [name: string]: unknown;
    }, AuthGetAccountCode>;
}
export interface OwnSessions {
    /** List the sessions of the signed-in user */
    list(options?: CallOptions): Call<AuthGetSessionsAnswer, AuthGetSessionsCode>;
    /** End all other sessions. It also revokes their access tokens. */
    endOthers(options?: CallOptions): Call<AuthDeleteSessionsAnswer, AuthDeleteChangeEmailCode>;
    /** End a session. It also revokes the access tokens of the session. */
    end(input: AuthDeleteSessionsByIdInput, options?: CallOptions): Call<AuthDeleteSessionsByIdAnswer, AuthDeleteChangeEmailCode>;
}
export interface Social {
    /** List the linked providers of the signed-in user */
    linked(options?: CallOptions): Call<AuthProvidersLinkedAnswer, AuthGetSessionsCode>;
    /** Unlink a provider. Sessions stay. */
    unlink(provider: string, options?: CallOptions): Call<{
        [name: string]: unknown;
    }, AuthDeletePasswordCode>;
}
export interface Auth {
    /** Create an account. The answer has tokens if users can sign in without a verified address. */
    register(input: AuthRegisterInput, options?: CallOptions): Call<AuthRegisterAnswer, AuthRegisterCode>;
    /** Sign in by e-mail and password */
    login(input: AuthLoginInput, options?: CallOptions): Call<AuthLoginAnswer, AuthLoginCode>;
    /** Sign in again. The new session replaces the one before, and ends it. */
    reauthenticate(input: AuthLoginInput, options?: CallOptions): Call<AuthLoginAnswer, AuthLoginCode>;
    /** Exchange a refresh token for new tokens. It uses the refresh token up. */
    refresh(input?: AuthRefreshTokenInput, options?: CallOptions): Call<Tokens, AuthRefreshTokenCode>;
    /** End sessions. It also revokes the access token of the request, if that is of the same user. */
    logout(input?: AuthLogoutInput, options?: CallOptions): Call<AuthLogoutAnswer, AuthLogoutCode>;
    /** Get the signed-in user */
    me(options?: CallOptions): Call<CurrentUser, AuthMeCode>;
    /** Change the password. It ends all sessions. After 10 wrong current passwords in 15 minutes the answer is 429. */
    changePassword(input: AuthChangePasswordInput, options?: CallOptions): Call<{
        [name: string]: unknown;
    }, AuthChangePasswordCode>;
    /** Mail another link that verifies an address. The answer does not tell whether the address has an account. */
    requestVerification(input: AuthRequestVerificationInput, options?: CallOptions): Call<{
        [name: string]: unknown;
    }, AuthRequestVerificationCode>;
    /** Mail a link that sets a new password. The answer does not tell whether the address has an account. */
    requestResetPassword(input: AuthRequestResetPasswordInput, options?: CallOptions): Call<{
        [name: string]: unknown;
    }, AuthRequestVerificationCode>;
    /** Set a new password with the token of a link. It ends all sessions and deletes all API keys. */
    resetPassword(input: AuthResetPasswordInput, options?: CallOptions): Call<{
        [name: string]: unknown;
    }, AuthResetPasswordCode>;
    /** Make a link for a user */
    generateVerificationLink(input: AuthGenerateVerificationLinkInput, options?: CallOptions): Call<AuthGenerateVerificationLinkAnswer, AuthCreateApiKeyCode>;
    /** Send a one-time code by text message */
    requestOtp(input: AuthRequestOtpInput, options?: CallOptions): Call<{
        [name: string]: unknown;
    }, AuthRequestVerificationCode>;
    /** Sign in by phone number and one-time code. It creates the account of a new number. */
    verifyOtp(input: AuthVerifyOtpInput, options?: CallOptions): Call<AuthVerifyOtpAnswer, AuthVerifyOtpCode>;
    /** Set up a second factor. `verify-mfa` with the action `activate` enables it. */
    setupMfa(options?: CallOptions): Call<AuthSetupMfaAnswer, AuthSetupMfaCode>;
    /** Enable a second factor, or check a code. With the action `activate` it enables the factor. Both uses use the code up. */
    verifyMfa(input: AuthVerifyMfaInput, options?: CallOptions): Call<AuthVerifyMfaAnswer, AuthVerifyMfaCode>;
    /** Remove the second factor */
    disableMfa(input: AuthDisableMfaInput, options?: CallOptions): Call<AuthDisableMfaAnswer, AuthVerifyMfaCode>;
    /** List the providers of social sign-in */
    providers(options?: CallOptions): Call<AuthProvidersAnswer, AuthProvidersCode>;
    /** Sign in with the token that a social sign-in gave to a page */
    verifyWebAuth(input: AuthVerifyWebAuthInput, options?: CallOptions): Call<AuthVerifyWebAuthAnswer, AuthVerifyWebAuthCode>;
    /** Set the first password of an account with the token of an invitation. It verifies the address, and uses the link up. */
    acceptInvitation(input: AuthAcceptInvitationInput, options?: CallOptions): Call<{
        [name: string]: unknown;
    }, AuthAcceptInvitationCode>;
    readonly account: OwnAccount;
    readonly apiKeys: ApiKeys;
    readonly sessions: OwnSessions;
    readonly social: Social;
}
export interface Storage {
    /** Upload an image and make its thumbnails */
    uploadImage(input: StorageUploadImageInput, options?: CallOptions): Call<StorageUploadImageAnswer, StorageUploadImageCode>;
    /** Upload a file */
    uploadFile(input: StorageUploadFileInput, options?: CallOptions): Call<StoredFile, StorageUploadImageCode>;
    /** Delete a file or a folder */
    delete(input?: StorageDeleteInput, options?: CallOptions): Call<StorageDeleteAnswer, StorageDeleteCode>;
    /** Make a link to a file */
    url(input: StorageUrlInput, options?: CallOptions): Call<StorageUrlAnswer, StorageDeleteCode>;
    /** List files by path */
    list(input?: StorageListInput, options?: CallOptions): FilePages<StorageListAnswer, ListedFile, StorageUploadImageCode>;
    /** Move a file with its thumbnails */
    move(input: StorageMoveInput, options?: CallOptions): Call<StorageMoveAnswer, StorageDeleteCode>;
}
export interface Users {
    /** List accounts */
    list(input?: UsersListInput, options?: CallOptions): Call<AdministeredUserPart[], UsersListCode>;
    /** Create an account and invite its owner. The answer has the link of the invitation if no mail has it. */
    create(input: UsersCreateInput, options?: CallOptions): Call<UsersCreateAnswer, UsersCreateCode>;
    /** Get an account and its ways to sign in */
    get(input: UsersGetInput, options?: CallOptions): Call<AdministeredUserDetails, UsersGetCode>;
    /** Change an account. Another role revokes access tokens. A deactivation or another e-mail address ends all sessions at once. */
    update(input: UsersUpdateInput, options?: CallOptions): Call<AdministeredUserDetails, UsersUpdateCode>;
    /** Delete an account. Rows that refer to the account are removed, emptied or kept as `generated/account-deletion.txt` says. */
    delete(input: UsersDeleteInput, options?: CallOptions): Call<UsersDeleteAnswer, UsersDeleteCode>;
    /** List the sessions of an account */
    listSessions(input: UsersListSessionsInput, options?: CallOptions): Call<UsersListSessionsAnswer, UsersGetCode>;
    /** Invite the owner of an account again. It voids the older link. The answer has the link if no mail has it. */
    invite(input: UsersInviteInput, options?: CallOptions): Call<UsersInviteAnswer, UsersInviteCode>;
    /** End all sessions of an account. It can also delete the API keys. */
    signOut(input: UsersSignOutInput, options?: CallOptions): Call<UsersSignOutAnswer, UsersInviteCode>;
    /** Remove the second factor and the passkeys of an account. It also ends all sessions. */
    resetMfa(input: UsersResetMfaInput, options?: CallOptions): Call<UsersResetMfaAnswer, UsersInviteCode>;
}
export interface RateLimits {
    /** List the counters of rate limits */
    list(input?: RateLimitsListInput, options?: CallOptions): Call<RateLimitsListAnswer, UsersListCode>;
    /** Get the counter of a key */
    get(input: RateLimitsGetInput, options?: CallOptions): Call<RateLimitCounter, UsersGetCode>;
    /** Reset the counter of a key */
    reset(input: RateLimitsResetInput, options?: CallOptions): Call<RateLimitsResetAnswer, UsersGetCode>;
}
export interface Routes {
    /** POST /webhooks/payments */
    postWebhooksPayments(input: PostWebhooksPaymentsInput, options?: CallOptions): Call<PostWebhooksPaymentsAnswer, PostWebhooksPaymentsCode>;
}
export interface Graphql extends SendsGraphql<UpdateCode2> {
}
export interface Client extends Models {
    readonly models: Models;
    readonly auth: Auth;
    readonly storage: Storage;
    readonly users: Users;
    readonly rateLimits: RateLimits;
    readonly routes: Routes;
    readonly graphql: Graphql;
    readonly session: Sessions;
}
export interface ErrorTable {
    ACCOUNT_INACTIVE: {
        status: 403;
        details?: ErrorDetails;
        retryAfter?: undefined;
    };
    ACCOUNT_IN_USE: {
        status: 409;
        details?: ErrorDetails;
        retryAfter?: undefined;
    };
    AUTH_UNAVAILABLE: {
        status: 503;
        details?: ErrorDetails;
        retryAfter?: number;
    };
    DATABASE_ERROR: {
        status: 500;
        details?: ErrorDetails;
        retryAfter?: undefined;
    };
    EMAIL_ALREADY_EXISTS: {
        status: 409;
        details?: ErrorDetails;
        retryAfter?: undefined;
    };
    EMAIL_NOT_VERIFIED: {
        status: 403;
        details?: ErrorDetails;
        retryAfter?: undefined;
    };
    HTTP_ERROR: {
        status: 408 | 409 | 413 | 415 | 503;
        details?: ErrorDetails;
        retryAfter?: number;
    };
    INTERNAL_ERROR: {
        status: 500;
        details?: ErrorDetails;
        retryAfter?: undefined;
    };
    INVALID_API_KEY: {
        status: 401;
        details?: ErrorDetails;
        retryAfter?: undefined;
    };
    INVALID_CREDENTIALS: {
        status: 401;
        details?: ErrorDetails;
        retryAfter?: undefined;
    };
    INVALID_LINK: {
        status: 400;
        details?: ErrorDetails;
        retryAfter?: undefined;
    };
    INVALID_MFA_CODE: {
        status: 401;
        details?: ErrorDetails;
        retryAfter?: undefined;
    };
    INVALID_OTP: {
        status: 401;
        details?: ErrorDetails;
        retryAfter?: undefined;
    };
    INVALID_RESET_TOKEN: {
        status: 400;
        details?: ErrorDetails;
        retryAfter?: undefined;
    };
    INVALID_TOKEN: {
        status: 401;
        details?: ErrorDetails;
        retryAfter?: undefined;
    };
    LAST_ADMINISTRATOR: {
        status: 409;
        details?: ErrorDetails;
        retryAfter?: undefined;
    };
    LAST_SIGN_IN_METHOD: {
        status: 409;
        details?: ErrorDetails;
        retryAfter?: undefined;
    };
    MFA_REQUIRED: {
        status: 403;
        details?: ErrorDetails;
        retryAfter?: undefined;
    };
    MISSING_TOKEN: {
        status: 401;
        details?: ErrorDetails;
        retryAfter?: undefined;
    };
    NOT_FOUND: {
        status: 404;
        details?: ErrorDetails;
        retryAfter?: undefined;
    };
    ORDER_CANCELLED: {
        status: 409;
        details?: ErrorDetails;
        retryAfter?: undefined;
    };
    OUT_OF_STOCK: {
        status: 409;
        details?: ErrorDetails;
        retryAfter?: undefined;
    };
    PERMISSION_DENIED: {
        status: 403;
        details?: ErrorDetails;
        retryAfter?: undefined;
    };
    PHONE_ALREADY_EXISTS: {
        status: 409;
        details?: ErrorDetails;
        retryAfter?: undefined;
    };
    RATE_LIMIT_EXCEEDED: {
        status: 429;
        details?: ErrorDetails;
        retryAfter?: number;
    };
    REAUTHENTICATION_REQUIRED: {
        status: 403;
        details?: ErrorDetails;
        retryAfter?: undefined;
    };
    STORAGE_ERROR: {
        status: 500;
        details?: ErrorDetails;
        retryAfter?: undefined;
    };
    TOKEN_EXPIRED: {
        status: 401;
        details?: ErrorDetails;
        retryAfter?: undefined;
    };
    TOKEN_REVOKED: {
        status: 401;
        details?: ErrorDetails;
        retryAfter?: undefined;
    };
    USER_DATA_ERROR: {
        status: 500;
        details?: ErrorDetails;
        retryAfter?: undefined;
    };
    VALIDATION_ERROR: {
        status: 400;
        details?: ErrorDetails;
        retryAfter?: undefined;
    };
    WEAK_PASSWORD: {
        status: 400;
        details?: ErrorDetails;
        retryAfter?: undefined;
    };
}
export type FetchCode = ClientCode | "AUTH_UNAVAILABLE" | "DATABASE_ERROR" | "HTTP_ERROR" | "INTERNAL_ERROR" | "INVALID_API_KEY" | "INVALID_TOKEN" | "PERMISSION_DENIED" | "RATE_LIMIT_EXCEEDED" | "TOKEN_EXPIRED" | "TOKEN_REVOKED" | "VALIDATION_ERROR";
export type UpdateCode = ClientCode | "AUTH_UNAVAILABLE" | "DATABASE_ERROR" | "HTTP_ERROR" | "INTERNAL_ERROR" | "INVALID_API_KEY" | "INVALID_TOKEN" | "NOT_FOUND" | "PERMISSION_DENIED" | "RATE_LIMIT_EXCEEDED" | "TOKEN_EXPIRED" | "TOKEN_REVOKED" | "VALIDATION_ERROR";
export type FetchCode2 = ClientCode | "AUTH_UNAVAILABLE" | "DATABASE_ERROR" | "HTTP_ERROR" | "INTERNAL_ERROR" | "INVALID_API_KEY" | "INVALID_TOKEN" | "ORDER_CANCELLED" | "OUT_OF_STOCK" | "PERMISSION_DENIED" | "RATE_LIMIT_EXCEEDED" | "TOKEN_EXPIRED" | "TOKEN_REVOKED" | "VALIDATION_ERROR";
export type UpdateCode2 = ClientCode | "AUTH_UNAVAILABLE" | "DATABASE_ERROR" | "HTTP_ERROR" | "INTERNAL_ERROR" | "INVALID_API_KEY" | "INVALID_TOKEN" | "NOT_FOUND" | "ORDER_CANCELLED" | "OUT_OF_STOCK" | "PERMISSION_DENIED" | "RATE_LIMIT_EXCEEDED" | "TOKEN_EXPIRED" | "TOKEN_REVOKED" | "VALIDATION_ERROR";
export interface AuthPatchMeInput {
    first_name?: string | null | undefined;
    last_name?: string | null | undefined;
}
export interface OwnUser {
    user_id: number;
    email: string | null;
    first_name: string | null;
    last_name: string | null;
    role: string;
    created_at: string;
    last_login_at: string | null;
    is_verified: boolean;
    is_active: boolean;
    phone_number: string | null;
}
export type AuthPatchMeCode = ClientCode | "ACCOUNT_INACTIVE" | "AUTH_UNAVAILABLE" | "DATABASE_ERROR" | "HTTP_ERROR" | "INTERNAL_ERROR" | "INVALID_TOKEN" | "MISSING_TOKEN" | "NOT_FOUND" | "ORDER_CANCELLED" | "OUT_OF_STOCK" | "TOKEN_EXPIRED" | "TOKEN_REVOKED" | "VALIDATION_ERROR";
export interface AuthChangeEmailInput {
    new_email: string;
}
export interface AuthChangeEmailAnswer {
    expires_at: string;
}
export type AuthChangeEmailCode = ClientCode | "ACCOUNT_INACTIVE" | "AUTH_UNAVAILABLE" | "DATABASE_ERROR" | "HTTP_ERROR" | "INTERNAL_ERROR" | "INVALID_TOKEN" | "MISSING_TOKEN" | "NOT_FOUND" | "RATE_LIMIT_EXCEEDED" | "REAUTHENTICATION_REQUIRED" | "TOKEN_EXPIRED" | "TOKEN_REVOKED" | "VALIDATION_ERROR";
export type AuthDeleteChangeEmailCode = ClientCode | "ACCOUNT_INACTIVE" | "AUTH_UNAVAILABLE" | "DATABASE_ERROR" | "HTTP_ERROR" | "INTERNAL_ERROR" | "INVALID_TOKEN" | "MISSING_TOKEN" | "NOT_FOUND" | "TOKEN_EXPIRED" | "TOKEN_REVOKED" | "VALIDATION_ERROR";
export interface AuthChangeEmailConfirmInput {
    token: string;
}
export interface AuthChangeEmailConfirmAnswer {
    email: string;
}
export type AuthChangeEmailConfirmCode = ClientCode | "AUTH_UNAVAILABLE" | "DATABASE_ERROR" | "EMAIL_ALREADY_EXISTS" | "HTTP_ERROR" | "INTERNAL_ERROR" | "INVALID_LINK" | "ORDER_CANCELLED" | "OUT_OF_STOCK" | "RATE_LIMIT_EXCEEDED" | "VALIDATION_ERROR";
export interface AuthGetAccountAnswer {
    user: OwnUser;
    sign_in: {
        password: boolean;
        phone: boolean;
        email_code: boolean;
        mfa: boolean;
        passkeys: number;
        providers: string[];
    };
    pending: {
        email: {
            new_email: string;
            expires_at: string;
        } | null;
        phone: {
            phone_number: string;
            expires_at: string;
        } | null;
    };
    recent_until: string | null;
}
export type AuthGetAccountCode = ClientCode | "AUTH_UNAVAILABLE" | "DATABASE_ERROR" | "HTTP_ERROR" | "INTERNAL_ERROR" | "INVALID_TOKEN" | "MISSING_TOKEN" | "NOT_FOUND" | "TOKEN_EXPIRED" | "TOKEN_REVOKED" | "VALIDATION_ERROR";
export interface AuthSetPasswordInput {
    new_password: string;
    confirm_password: string;
}
export type AuthSetPasswordCode = ClientCode | "ACCOUNT_INACTIVE" | "AUTH_UNAVAILABLE" | "DATABASE_ERROR" | "HTTP_ERROR" | "INTERNAL_ERROR" | "INVALID_TOKEN" | "MISSING_TOKEN" | "NOT_FOUND" | "REAUTHENTICATION_REQUIRED" | "TOKEN_EXPIRED" | "TOKEN_REVOKED" | "VALIDATION_ERROR" | "WEAK_PASSWORD";
export type AuthDeletePasswordCode = ClientCode | "ACCOUNT_INACTIVE" | "AUTH_UNAVAILABLE" | "DATABASE_ERROR" | "HTTP_ERROR" | "INTERNAL_ERROR" | "INVALID_TOKEN" | "LAST_SIGN_IN_METHOD" | "MISSING_TOKEN" | "NOT_FOUND" | "REAUTHENTICATION_REQUIRED" | "TOKEN_EXPIRED" | "TOKEN_REVOKED" | "VALIDATION_ERROR";
export interface AuthChangePhoneInput {
    phone_number: string;
}
export interface AuthChangePhoneAnswer {
    expires_at: string;
}
export interface AuthChangePhoneConfirmInput {
    code: string;
}
export interface AuthChangePhoneConfirmAnswer {
    phone_number: string;
}
export type AuthChangePhoneConfirmCode = ClientCode | "ACCOUNT_INACTIVE" | "AUTH_UNAVAILABLE" | "DATABASE_ERROR" | "HTTP_ERROR" | "INTERNAL_ERROR" | "INVALID_OTP" | "INVALID_TOKEN" | "MISSING_TOKEN" | "NOT_FOUND" | "ORDER_CANCELLED" | "OUT_OF_STOCK" | "PHONE_ALREADY_EXISTS" | "RATE_LIMIT_EXCEEDED" | "TOKEN_EXPIRED" | "TOKEN_REVOKED" | "VALIDATION_ERROR";
export type AuthDeletePhoneCode = ClientCode | "ACCOUNT_INACTIVE" | "AUTH_UNAVAILABLE" | "DATABASE_ERROR" | "HTTP_ERROR" | "INTERNAL_ERROR" | "INVALID_TOKEN" | "LAST_SIGN_IN_METHOD" | "MISSING_TOKEN" | "NOT_FOUND" | "ORDER_CANCELLED" | "OUT_OF_STOCK" | "REAUTHENTICATION_REQUIRED" | "TOKEN_EXPIRED" | "TOKEN_REVOKED" | "VALIDATION_ERROR";
export interface AuthCreateApiKeyInput {
    name?: string | null | undefined;
    expires_at?: string | undefined;
    user_id?: number | undefined;
}
export interface AuthCreateApiKeyAnswer {
    id: number;
    name: string | null;
    key_prefix: string;
    expires_at: string;
    created_at: string;
    api_key: string;
}
export type AuthCreateApiKeyCode = ClientCode | "ACCOUNT_INACTIVE" | "AUTH_UNAVAILABLE" | "DATABASE_ERROR" | "HTTP_ERROR" | "INTERNAL_ERROR" | "INVALID_TOKEN" | "MISSING_TOKEN" | "NOT_FOUND" | "PERMISSION_DENIED" | "TOKEN_EXPIRED" | "TOKEN_REVOKED" | "VALIDATION_ERROR";
export interface AuthListApiKeysInput {
    /** The user of the keys, for administrators. */
    user_id?: number | undefined;
}
export interface ApiKey {
    id: number;
    name: string | null;
    key_prefix: string;
    expires_at: string;
    created_at: string;
    last_used_at: string | null;
}
export type AuthListApiKeysCode = ClientCode | "AUTH_UNAVAILABLE" | "DATABASE_ERROR" | "HTTP_ERROR" | "INTERNAL_ERROR" | "INVALID_TOKEN" | "MISSING_TOKEN" | "NOT_FOUND" | "PERMISSION_DENIED" | "TOKEN_EXPIRED" | "TOKEN_REVOKED" | "VALIDATION_ERROR";
export type AuthRevokeApiKeyInput = {
    id: number;
} | {
    key_prefix: string;
};
export interface AuthGetSessionsAnswer {
    sessions: {
        id: string;
        current: boolean;
        created_at: string;
        last_used_at: string;
        expires_at: string;
        signed_in_with: string[];
        user_agent: string | null;
        address: string | null;
    }[];
}
export type AuthGetSessionsCode = ClientCode | "AUTH_UNAVAILABLE" | "DATABASE_ERROR" | "HTTP_ERROR" | "INTERNAL_ERROR" | "INVALID_TOKEN" | "MISSING_TOKEN" | "TOKEN_EXPIRED" | "TOKEN_REVOKED" | "VALIDATION_ERROR";
export interface AuthDeleteSessionsAnswer {
    ended_sessions: number;
}
export type AuthDeleteSessionsByIdInput = {
    id: string;
} & {
    [name: string]: never;
};
export interface AuthDeleteSessionsByIdAnswer {
    ended_sessions: number;
}
export interface AuthProvidersLinkedAnswer {
    providers: {
        provider: string;
        title: string;
        email: string | null;
        linked_at: string;
        last_used_at: string | null;
    }[];
}
export interface AuthRegisterInput {
    email: string;
    password: string;
    first_name?: string | null | undefined;
    last_name?: string | null | undefined;
    /** Has no effect. */
    role?: unknown;
}
export interface User {
    user_id: number;
    email: string | null;
    first_name: string | null;
    last_name: string | null;
    role: string;
    created_at: string;
    last_login_at: string | null;
    phone_number: string | null;
    is_verified: boolean;
}
export interface AuthRegisterAnswer {
    user: User;
    verification_email_sent: boolean;
    accessToken?: string;
    refreshToken?: string;
    /** Lifetime of the access token in seconds. */
    expiresIn?: number;
}
export type AuthRegisterCode = ClientCode | "AUTH_UNAVAILABLE" | "DATABASE_ERROR" | "EMAIL_ALREADY_EXISTS" | "HTTP_ERROR" | "INTERNAL_ERROR" | "ORDER_CANCELLED" | "OUT_OF_STOCK" | "PERMISSION_DENIED" | "RATE_LIMIT_EXCEEDED" | "VALIDATION_ERROR" | "WEAK_PASSWORD";
export interface AuthLoginInput {
    email: string;
    password: string;
    mfa_code?: string | null | undefined;
    /** Has no effect. */
    device_token?: unknown;
}
export interface Tokens {
    accessToken: string;
    refreshToken: string;
    /** Lifetime of the access token in seconds. */
    expiresIn: number;
}
export type AuthLoginAnswer = Tokens & {
    user: User;
};
export type AuthLoginCode = ClientCode | "ACCOUNT_INACTIVE" | "AUTH_UNAVAILABLE" | "DATABASE_ERROR" | "EMAIL_NOT_VERIFIED" | "HTTP_ERROR" | "INTERNAL_ERROR" | "INVALID_CREDENTIALS" | "INVALID_MFA_CODE" | "MFA_REQUIRED" | "ORDER_CANCELLED" | "OUT_OF_STOCK" | "RATE_LIMIT_EXCEEDED" | "VALIDATION_ERROR";
export interface AuthRefreshTokenInput {
    refreshToken?: string | undefined;
}
export type AuthRefreshTokenCode = ClientCode | "ACCOUNT_INACTIVE" | "AUTH_UNAVAILABLE" | "DATABASE_ERROR" | "HTTP_ERROR" | "INTERNAL_ERROR" | "INVALID_TOKEN" | "TOKEN_EXPIRED" | "VALIDATION_ERROR";
export interface AuthLogoutInput {
    token?: string | undefined;
    logout_type?: "single" | "all" | "others" | undefined;
}
export interface AuthLogoutAnswer {
    deleted_tokens: number;
    logout_type: "single" | "all" | "others";
}
export type AuthLogoutCode = ClientCode | "AUTH_UNAVAILABLE" | "DATABASE_ERROR" | "HTTP_ERROR" | "INTERNAL_ERROR" | "NOT_FOUND" | "VALIDATION_ERROR";
export interface CurrentUser {
    user_id: number;
    email: string | null;
    first_name: string | null;
    last_name: string | null;
    role: string;
    created_at: string;
    last_login_at: string | null;
    is_verified: boolean;
    is_active: boolean;
}
export type AuthMeCode = ClientCode | "AUTH_UNAVAILABLE" | "DATABASE_ERROR" | "HTTP_ERROR" | "INTERNAL_ERROR" | "INVALID_TOKEN" | "MISSING_TOKEN" | "NOT_FOUND" | "TOKEN_EXPIRED" | "TOKEN_REVOKED" | "USER_DATA_ERROR" | "VALIDATION_ERROR";
export interface AuthChangePasswordInput {
    current_password: string;
    new_password: string;
    confirm_password: string;
}
export type AuthChangePasswordCode = ClientCode | "ACCOUNT_INACTIVE" | "AUTH_UNAVAILABLE" | "DATABASE_ERROR" | "HTTP_ERROR" | "INTERNAL_ERROR" | "INVALID_CREDENTIALS" | "INVALID_TOKEN" | "MISSING_TOKEN" | "NOT_FOUND" | "RATE_LIMIT_EXCEEDED" | "TOKEN_EXPIRED" | "TOKEN_REVOKED" | "VALIDATION_ERROR" | "WEAK_PASSWORD";
export interface AuthRequestVerificationInput {
    email: string;
}
export type AuthRequestVerificationCode = ClientCode | "AUTH_UNAVAILABLE" | "DATABASE_ERROR" | "HTTP_ERROR" | "INTERNAL_ERROR" | "RATE_LIMIT_EXCEEDED" | "VALIDATION_ERROR";
export interface AuthRequestResetPasswordInput {
    email: string;
}
export interface AuthResetPasswordInput {
    token: string;
    new_password: string;
    confirm_password: string;
}
export type AuthResetPasswordCode = ClientCode | "ACCOUNT_INACTIVE" | "AUTH_UNAVAILABLE" | "DATABASE_ERROR" | "HTTP_ERROR" | "INTERNAL_ERROR" | "INVALID_RESET_TOKEN" | "VALIDATION_ERROR" | "WEAK_PASSWORD";
export interface AuthGenerateVerificationLinkInput {
    user_id: number;
    email: string;
    type: "email_verification" | "password_reset";
}
export interface AuthGenerateVerificationLinkAnswer {
    secure_link: string;
    type: "email_verification" | "password_reset";
}
export interface AuthRequestOtpInput {
    phone_number: string;
}
export interface AuthVerifyOtpInput {
    phone_number: string;
    otp: string;
    mfa_code?: string | null | undefined;
}
export interface OtpUser {
    user_id: number;
    email: string | null;
    first_name: string | null;
    last_name: string | null;
    role: string;
    created_at: string;
    last_login_at: string | null;
    phone_number: string | null;
    is_active: boolean;
}
export type AuthVerifyOtpAnswer = Tokens & {
    user: OtpUser;
} | {
    user: OtpUser;
};
export type AuthVerifyOtpCode = ClientCode | "ACCOUNT_INACTIVE" | "AUTH_UNAVAILABLE" | "DATABASE_ERROR" | "HTTP_ERROR" | "INTERNAL_ERROR" | "INVALID_MFA_CODE" | "INVALID_OTP" | "MFA_REQUIRED" | "ORDER_CANCELLED" | "OUT_OF_STOCK" | "PERMISSION_DENIED" | "RATE_LIMIT_EXCEEDED" | "VALIDATION_ERROR";
export interface AuthSetupMfaAnswer {
    provisioning_uri: string;
    backup_codes: string[];
}
export type AuthSetupMfaCode = ClientCode | "ACCOUNT_INACTIVE" | "AUTH_UNAVAILABLE" | "DATABASE_ERROR" | "HTTP_ERROR" | "INTERNAL_ERROR" | "INVALID_TOKEN" | "MISSING_TOKEN" | "NOT_FOUND" | "RATE_LIMIT_EXCEEDED" | "TOKEN_EXPIRED" | "TOKEN_REVOKED" | "VALIDATION_ERROR";
export interface AuthVerifyMfaInput {
    code: string;
    action?: string | null | undefined;
}
export type AuthVerifyMfaAnswer = {
    enabled: true;
} | {
    backup_code_used: boolean;
    backup_codes_remaining: number;
};
export type AuthVerifyMfaCode = ClientCode | "ACCOUNT_INACTIVE" | "AUTH_UNAVAILABLE" | "DATABASE_ERROR" | "HTTP_ERROR" | "INTERNAL_ERROR" | "INVALID_MFA_CODE" | "INVALID_TOKEN" | "MISSING_TOKEN" | "NOT_FOUND" | "RATE_LIMIT_EXCEEDED" | "TOKEN_EXPIRED" | "TOKEN_REVOKED" | "VALIDATION_ERROR";
export interface AuthDisableMfaInput {
    code: string;
}
export interface AuthDisableMfaAnswer {
    enabled: false;
}
export type AuthProvidersAnswer = {
    provider: string;
    title: string;
    login_url: string;
}[];
export type AuthProvidersCode = ClientCode | "AUTH_UNAVAILABLE" | "DATABASE_ERROR" | "HTTP_ERROR" | "INTERNAL_ERROR" | "VALIDATION_ERROR";
export interface AuthVerifyWebAuthInput {
    token: string;
    code_verifier?: string | undefined;
}
export type AuthVerifyWebAuthAnswer = Tokens & {
    user: User;
};
export type AuthVerifyWebAuthCode = ClientCode | "ACCOUNT_INACTIVE" | "AUTH_UNAVAILABLE" | "DATABASE_ERROR" | "HTTP_ERROR" | "INTERNAL_ERROR" | "INVALID_TOKEN" | "ORDER_CANCELLED" | "OUT_OF_STOCK" | "VALIDATION_ERROR";
export interface AuthAcceptInvitationInput {
    token: string;
    new_password: string;
    confirm_password: string;
}
export type AuthAcceptInvitationCode = ClientCode | "AUTH_UNAVAILABLE" | "DATABASE_ERROR" | "HTTP_ERROR" | "INTERNAL_ERROR" | "INVALID_LINK" | "RATE_LIMIT_EXCEEDED" | "VALIDATION_ERROR" | "WEAK_PASSWORD";
export interface StorageUploadImageInput extends Upload {
    /** Segments of letters, digits, blanks, `.`, `_` and `-`, with `/` between them, at most 512 bytes. The name of the file is appended to a path that is empty or ends with `/`. */
    path?: string | undefined;
    /** Whether the file replaces another one at its path. */
    overwrite?: boolean | undefined;
    /** `true` for the thumbnails of the manifest, or the JSON of a list of them. */
    thumbnails?: boolean | readonly (({
        width: unknown;
    } | {
        height: unknown;
    }) & {
        name: string;
        width?: number | undefined;
        height?: number | undefined;
    })[] | undefined;
}
export interface StoredImage {
    url: string;
    filename: string;
    size: number;
    mime_type: string;
    path: string;
    width: number;
    height: number;
}
export interface StorageUploadImageAnswer {
    original: StoredImage;
    thumbnails?: (StoredImage & {
        name: string;
    })[];
}
export type StorageUploadImageCode = ClientCode | "AUTH_UNAVAILABLE" | "DATABASE_ERROR" | "HTTP_ERROR" | "INTERNAL_ERROR" | "INVALID_API_KEY" | "INVALID_TOKEN" | "MISSING_TOKEN" | "PERMISSION_DENIED" | "STORAGE_ERROR" | "TOKEN_EXPIRED" | "TOKEN_REVOKED" | "VALIDATION_ERROR";
export interface StorageUploadFileInput extends Upload {
    /** Segments of letters, digits, blanks, `.`, `_` and `-`, with `/` between them, at most 512 bytes. The name of the file is appended to a path that is empty or ends with `/`. */
    path?: string | undefined;
    /** Whether the file replaces another one at its path. */
    overwrite?: boolean | undefined;
}
export interface StoredFile {
    url: string;
    filename: string;
    size: number;
    mime_type: string;
}
export interface StorageDeleteInput {
    /** The path of a file. Either this or `prefix`. */
    path?: string | undefined;
    /** A folder, which ends with `/`: its first 1000 files and thumbnails are deleted. */
    prefix?: string | undefined;
    /** Whether the thumbnails of the file are deleted, too. */
    with_thumbnails?: boolean | undefined;
}
export interface StorageDeleteAnswer {
    path: string;
    deleted?: number;
    failed?: {
        path: string;
    }[];
    more?: boolean;
}
export type StorageDeleteCode = ClientCode | "AUTH_UNAVAILABLE" | "DATABASE_ERROR" | "HTTP_ERROR" | "INTERNAL_ERROR" | "INVALID_API_KEY" | "INVALID_TOKEN" | "MISSING_TOKEN" | "NOT_FOUND" | "PERMISSION_DENIED" | "STORAGE_ERROR" | "TOKEN_EXPIRED" | "TOKEN_REVOKED" | "VALIDATION_ERROR";
export interface StorageUrlInput {
    /** The path of a file. */
    path: string;
    /** Seconds until the link expires. Default: `storage.url_ttl_seconds`. */
    expires?: number | undefined;
}
export interface StorageUrlAnswer {
    url: string;
}
export interface ListedFile {
    path: string;
    size: number;
    url: string;
}
export interface StorageListAnswer {
    files: ListedFile[];
    next?: string;
}
export interface StorageListInput {
    /** The beginning of the paths. */
    prefix?: string | undefined;
    /** The `next` of the page before. */
    after?: string | undefined;
    /** Files of a page. Larger values count as 1000. */
    limit?: number | undefined;
}
export interface StorageMoveInput {
    /** Segments of letters, digits, blanks, `.`, `_` and `-`, with `/` between them, at most 512 bytes. */
    from: string;
    /** Segments of letters, digits, blanks, `.`, `_` and `-`, with `/` between them, at most 512 bytes. */
    to: string;
    /** Whether the file replaces another one at its path. */
    overwrite?: boolean | undefined;
}
export interface StorageMoveAnswer {
    path: string;
    url: string;
    filename: string;
    size: number;
    mime_type: string;
}
export type AdministeredUserField = "user_id" | "email" | "role" | "first_name" | "last_name" | "phone_number" | "is_verified" | "is_active" | "last_login_at" | "created_at" | "updated_at";
export type UsersListInput = {
    search_term?: string | undefined;
    limit?: number | undefined;
    page?: number | undefined;
    offset?: number | undefined;
    page__after?: string | undefined;
    page__before?: string | undefined;
    page__total?: "exact" | "estimated" | "none" | undefined;
    order_by?: AdministeredUserField | undefined;
    order?: "ASC" | "DESC" | undefined;
    select_fields?: readonly AdministeredUserField[] | undefined;
    [name: string]: unknown;
};
export interface AdministeredUserPart {
    user_id?: number;
    email?: string | null;
    role?: string;
    first_name?: string | null;
    last_name?: string | null;
    phone_number?: string | null;
    is_verified?: boolean;
    is_active?: boolean;
    last_login_at?: string | null;
    created_at?: string;
    updated_at?: string;
}
export type UsersListCode = ClientCode | "AUTH_UNAVAILABLE" | "DATABASE_ERROR" | "HTTP_ERROR" | "INTERNAL_ERROR" | "INVALID_API_KEY" | "INVALID_TOKEN" | "MISSING_TOKEN" | "PERMISSION_DENIED" | "TOKEN_EXPIRED" | "TOKEN_REVOKED" | "VALIDATION_ERROR";
export interface UsersCreateInput {
    email: string;
    role?: string | undefined;
    first_name?: string | null | undefined;
    last_name?: string | null | undefined;
    send_invitation?: boolean | undefined;
}
export interface AdministeredUser {
    user_id: number;
    email: string | null;
    role: string;
    first_name: string | null;
    last_name: string | null;
    phone_number: string | null;
    is_verified: boolean;
    is_active: boolean;
    last_login_at: string | null;
    created_at: string;
    updated_at: string;
}
export interface UsersCreateAnswer {
    user: AdministeredUser;
    invitation_sent: boolean;
    invitation_link?: string;
}
export type UsersCreateCode = ClientCode | "ACCOUNT_INACTIVE" | "AUTH_UNAVAILABLE" | "DATABASE_ERROR" | "EMAIL_ALREADY_EXISTS" | "HTTP_ERROR" | "INTERNAL_ERROR" | "INVALID_TOKEN" | "MISSING_TOKEN" | "NOT_FOUND" | "ORDER_CANCELLED" | "OUT_OF_STOCK" | "PERMISSION_DENIED" | "REAUTHENTICATION_REQUIRED" | "TOKEN_EXPIRED" | "TOKEN_REVOKED" | "VALIDATION_ERROR";
export interface UsersGetInput {
    id: string;
}
export interface AdministeredUserDetails {
    user_id: number;
    email: string | null;
    role: string;
    first_name: string | null;
    last_name: string | null;
    phone_number: string | null;
    is_verified: boolean;
    is_active: boolean;
    last_login_at: string | null;
    created_at: string;
    updated_at: string;
    sign_in: {
        password: boolean;
        mfa: boolean;
        passkeys: number;
        providers: string[];
        api_keys: number;
        sessions: number;
    };
}
export type UsersGetCode = ClientCode | "AUTH_UNAVAILABLE" | "DATABASE_ERROR" | "HTTP_ERROR" | "INTERNAL_ERROR" | "INVALID_API_KEY" | "INVALID_TOKEN" | "MISSING_TOKEN" | "NOT_FOUND" | "PERMISSION_DENIED" | "TOKEN_EXPIRED" | "TOKEN_REVOKED" | "VALIDATION_ERROR";
export type UsersUpdateInput = {
    id: string;
} & {
    role?: string | undefined;
    is_active?: boolean | undefined;
    is_verified?: boolean | undefined;
    email?: string | undefined;
    first_name?: string | null | undefined;
    last_name?: string | null | undefined;
};
export type UsersUpdateCode = ClientCode | "ACCOUNT_INACTIVE" | "AUTH_UNAVAILABLE" | "DATABASE_ERROR" | "EMAIL_ALREADY_EXISTS" | "HTTP_ERROR" | "INTERNAL_ERROR" | "INVALID_TOKEN" | "LAST_ADMINISTRATOR" | "MISSING_TOKEN" | "NOT_FOUND" | "ORDER_CANCELLED" | "OUT_OF_STOCK" | "PERMISSION_DENIED" | "REAUTHENTICATION_REQUIRED" | "TOKEN_EXPIRED" | "TOKEN_REVOKED" | "VALIDATION_ERROR";
export type UsersDeleteInput = {
    id: string;
} & {
    [name: string]: never;
};
export interface UsersDeleteAnswer {
    user_id: number;
}
export type UsersDeleteCode = ClientCode | "ACCOUNT_INACTIVE" | "ACCOUNT_IN_USE" | "AUTH_UNAVAILABLE" | "DATABASE_ERROR" | "HTTP_ERROR" | "INTERNAL_ERROR" | "INVALID_TOKEN" | "LAST_ADMINISTRATOR" | "MISSING_TOKEN" | "NOT_FOUND" | "ORDER_CANCELLED" | "OUT_OF_STOCK" | "PERMISSION_DENIED" | "REAUTHENTICATION_REQUIRED" | "TOKEN_EXPIRED" | "TOKEN_REVOKED" | "VALIDATION_ERROR";
export interface UsersListSessionsInput {
    id: string;
}
export interface UsersListSessionsAnswer {
    sessions: {
        id: string;
        current: boolean;
        created_at: string;
        last_used_at: string;
        expires_at: string;
        signed_in_with: string[];
        user_agent: string | null;
        address: string | null;
    }[];
}
export type UsersInviteInput = {
    id: string;
} & {
    [name: string]: never;
};
export interface UsersInviteAnswer {
    invitation_sent: boolean;
    invitation_link?: string;
}
export type UsersInviteCode = ClientCode | "ACCOUNT_INACTIVE" | "AUTH_UNAVAILABLE" | "DATABASE_ERROR" | "HTTP_ERROR" | "INTERNAL_ERROR" | "INVALID_TOKEN" | "MISSING_TOKEN" | "NOT_FOUND" | "PERMISSION_DENIED" | "REAUTHENTICATION_REQUIRED" | "TOKEN_EXPIRED" | "TOKEN_REVOKED" | "VALIDATION_ERROR";
export type UsersSignOutInput = {
    id: string;
} & {
    api_keys?: boolean | undefined;
};
export interface UsersSignOutAnswer {
    ended_sessions: number;
    deleted_api_keys: number;
}
export type UsersResetMfaInput = {
    id: string;
} & {
    [name: string]: never;
};
export interface UsersResetMfaAnswer {
    mfa: boolean;
    passkeys: number;
}
export interface RateLimitsListInput {
    /** The beginning of the keys. */
    prefix?: string | undefined;
    /** The number of counters. More than 1,000 count as 1,000. */
    limit?: number | undefined;
}
export interface RateLimitCounter {
    key: string;
    count: number;
    max_requests: number;
    window_seconds: number;
    reset_at: string;
}
export interface RateLimitsListAnswer {
    counters: RateLimitCounter[];
}
export interface RateLimitsGetInput {
    /** Percent-encoded. */
    key: string;
}
export interface RateLimitsResetInput {
    /** Percent-encoded. */
    key: string;
}
export interface RateLimitsResetAnswer {
    key: string;
    reset: true;
}
export interface PostWebhooksPaymentsInput {
    body: BodyInit;
}
export interface PostWebhooksPaymentsAnswer {
    reference: string;
    status: string;
}
export type PostWebhooksPaymentsCode = ClientCode | "AUTH_UNAVAILABLE" | "DATABASE_ERROR" | "HTTP_ERROR" | "INTERNAL_ERROR" | "INVALID_API_KEY" | "INVALID_TOKEN" | "ORDER_CANCELLED" | "OUT_OF_STOCK" | "RATE_LIMIT_EXCEEDED" | "TOKEN_EXPIRED" | "TOKEN_REVOKED" | "VALIDATION_ERROR";
export interface Problem {
    field: string;
    message: string;
}
export interface ErrorDetails {
    field?: string;
    errors?: Problem[];
    failed_records?: FailedRecord[];
}
/** Makes a client of the service. */
export declare function createClient(options: ClientOptions): Client;
