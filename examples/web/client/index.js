// Made by `kirak client` from the models of the service. Edit those, not this file.
export class ApiError extends Error {
    constructor(error, message, { cause, ...facts } = {}) {
        super(message, cause ? { cause } : {});
        Object.assign(this, { name: "ApiError", error, status: 0, requestId: null }, facts);
    }
}
export function isApiError(thrown) {
    return thrown instanceof ApiError;
}
function dataOf({ data }) {
    return data;
}
function addressOf(client, path, query = {}) {
    let text = client.url.replace(/\/+$/, "") + path;
    let mark = "?";
    for (const [name, value] of Object.entries(query)) {
        if (value === undefined || value === null)
            continue;
        text += `${mark}${encodeURIComponent(name)}=`;
        text += encodeURIComponent(typeof value === "object" ? JSON.stringify(value) : value);
        mark = "&";
    }
    return text;
}
async function exchange(client, request, bearer, signal) {
    const { method, body, raw } = request;
    if (/[^ -~]/.test(`${bearer}${client.apiKey}`))
        throw new TypeError("The token is not a header.");
    const headers = {};
    const all = {
        "content-type": body === undefined ? null : "application/json",
        authorization: bearer && `Bearer ${bearer}`,
        "x-api-key": client.apiKey,
        ...client.headers,
        ...request.headers,
    };
    for (const [name, value] of Object.entries(all))
        if (value)
            headers[name.toLowerCase()] = value;
    const init = {
        method,
        headers,
        signal,
        body: raw ?? JSON.stringify(body) ?? null,
        credentials: client.credentials ?? "same-origin",
        redirect: "error",
        duplex: "half",
    };
    const url = addressOf(client, request.path, request.query);
    if (signal.aborted)
        throw new TypeError("ended");
    const report = request.upload;
    if (report && typeof XMLHttpRequest !== "undefined")
        return successOf(request, await overXhr(url, init, report));
    const answer = await (client.fetch ?? fetch)(url, init);
    if (request.response && answer.ok)
        return { data: answer };
    const text = await answer.text();
    return successOf(request, { status: answer.status, text, header: (name) => answer.headers.get(name) });
}
function overXhr(url, { method, headers, signal, credentials, body }, report) {
    return new Promise((resolve, reject) => {
        const xhr = new XMLHttpRequest();
        xhr.open(method, url);
        xhr.withCredentials = credentials === "include";
        for (const [name, value] of Object.entries(headers))
            xhr.setRequestHeader(name, value);
        xhr.upload.onprogress = report;
        xhr.onload = () => resolve({ status: xhr.status, text: xhr.responseText, header: (name) => xhr.getResponseHeader(name) });
        xhr.onerror = () => reject(new TypeError("no answer"));
        signal.addEventListener("abort", () => xhr.abort());
        xhr.send(body);
    });
}
function successOf({ method, path }, { status, text, header }) {
    let envelope = {};
    try {
        envelope = Object(JSON.parse(text));
    }
    catch {
    }
    if (envelope.statusCode !== status)
        envelope = {};
    if (envelope.status === "success")
        return envelope;
    const { error = "UNEXPECTED_ANSWER", message = `${method} ${path}: not an answer of the service` } = envelope;
    const seconds = Number.parseFloat(header("retry-after") ?? "");
    throw new ApiError(error, message, {
        status,
        requestId: header("x-request-id"),
        retryAfter: seconds >= 0 ? seconds : undefined,
        details: envelope.details,
    });
}
function limited({ method, path, signal, upload, response }, timeout, run) {
    const controller = new AbortController();
    return new Promise((resolve, reject) => {
        const fail = (code, text, cause) => {
            reject(new ApiError(code, `${method} ${path}: ${text}`, { cause }));
            controller.abort();
        };
        const abort = () => fail("ABORTED", "aborted", upload === undefined ? signal?.reason : undefined);
        if (signal?.aborted)
            return abort();
        signal?.addEventListener("abort", abort);
        const timer = timeout > 0 ? setTimeout(() => fail("TIMEOUT", `no answer in ${timeout} ms`), timeout) : undefined;
        run(controller.signal)
            .then(resolve, (thrown) => isApiError(thrown) ? reject(thrown) : fail("NETWORK_ERROR", "no answer", thrown))
            .finally(() => {
            clearTimeout(timer);
            if (!response)
                signal?.removeEventListener("abort", abort);
        });
    });
}
function callOf(sending, read) {
    const result = sending.then(read).then((data) => ({ ok: true, data }), (thrown) => ({
        ok: false,
        error: isApiError(thrown)
            ? thrown
            : new ApiError("UNEXPECTED_ANSWER", "not an answer of the service", { cause: thrown }),
    }));
    const data = result.then((found) => {
        if (found.ok)
            return found.data;
        const { error } = found;
        throw error.error === "ABORTED" ? (error.cause ?? error) : error;
    });
    return Object.assign(data, {
        result: () => {
            data.catch(() => { });
            return result;
        },
    });
}
async function repeated({ method, raw, signal }, retries, attempt) {
    let waited = 0;
    for (let tried = 0;; tried++) {
        try {
            return await attempt();
        }
        catch (thrown) {
            const { status, error, retryAfter } = thrown;
            const isRead = method === "GET";
            const isSafe = status === 503
                ? isRead || retryAfter !== undefined
                : status === 429 || (isRead && error === "NETWORK_ERROR");
            const seconds = retryAfter ?? 0.25 * 2 ** tried * (0.75 + Math.random() / 2);
            waited += seconds;
            if (!isSafe || isStream(raw) || tried >= retries || waited > 60)
                throw thrown;
            await sleep(seconds * 1000, signal);
        }
    }
}
function isStream(raw) {
    return typeof raw === "object" && "getReader" in raw;
}
function sleep(milliseconds, signal) {
    return new Promise((resolve) => {
        const wake = () => {
            clearTimeout(timer);
            signal?.removeEventListener("abort", wake);
            resolve();
        };
        const timer = setTimeout(wake, milliseconds);
        signal?.addEventListener("abort", wake);
    });
}
export function browserStorage(key) {
    let kept = null;
    return {
        get() {
            if (kept)
                return kept;
            try {
                return JSON.parse(localStorage.getItem(key) ?? "null");
            }
            catch {
                return null;
            }
        },
        set(session) {
            kept = null;
            try {
                if (session)
                    localStorage.setItem(key, JSON.stringify(session));
                else
                    localStorage.removeItem(key);
            }
            catch {
                kept = session;
            }
        },
    };
}
function memoryStorage() {
    let kept = null;
    return {
        get: () => kept,
        set(session) {
            kept = session;
        },
    };
}
function keepSession(client, exchangeToken) {
    const store = client.storage ?? memoryStorage();
    const listeners = new Set();
    const isRenewing = !(client.token ?? client.apiKey ?? client.credentials);
    let refreshing = null;
    const set = async (session) => {
        await store.set(session);
        for (const listener of listeners)
            void Promise.resolve(session).then(listener);
    };
    const keep = async ({ data }) => {
        const { accessToken, refreshToken, expiresIn } = (data ?? {});
        if (accessToken && refreshToken)
            await set({ accessToken, refreshToken, expiresAt: Date.now() + expiresIn * 1000 });
        return accessToken;
    };
    const refresh = async (used) => {
        const before = await store.get();
        if (before && before.accessToken !== used)
            return before.accessToken;
        let success;
        let cause;
        if (before)
            try {
                success = await exchangeToken(before.refreshToken);
            }
            catch (thrown) {
                cause = thrown;
            }
        const after = await store.get();
        if (after && after.refreshToken !== before?.refreshToken)
            return after.accessToken;
        if (after && success)
            return keep(success);
        const { status, error } = (cause ?? { status: 401 });
        if (!/^40[013]$/.test(`${status}`) || error === "UNEXPECTED_ANSWER")
            throw cause;
        if (after)
            await set(null);
        throw new ApiError("TOKEN_EXPIRED", "The session has ended.", { status: 401, cause });
    };
    const inTurns = async (refreshed) => {
        const locks = globalThis.navigator?.locks;
        return locks ? await locks.request(`kirak ${client.url}`, refreshed) : refreshed();
    };
    const renew = (used) => {
        if (!isRenewing)
            return null;
        refreshing ??= inTurns(() => refresh(used)).finally(() => {
            refreshing = null;
        });
        return refreshing;
    };
    return {
        get: async () => store.get(),
        set,
        subscribe(listener) {
            listeners.add(listener);
            return () => void listeners.delete(listener);
        },
        keep,
        renew,
        async bearer(open) {
            const { token } = client;
            if (token !== undefined)
                return typeof token === "function" ? token() : token;
            const session = await store.get();
            if (!session)
                return null;
            const isEnding = session.expiresAt - Date.now() < 10_000;
            return (isEnding && !open && renew(session.accessToken)) || session.accessToken;
        },
    };
}
const isParameter = /^(limit|page|offset|order|order_by|select_fields|search_term)$/;
function filtersOf(where = {}, isRead = false) {
    const filters = {};
    for (const [field, condition] of Object.entries(where)) {
        const isNested = Object(condition) === condition && !Array.isArray(condition);
        const operators = Object.entries(isNested ? condition : { eq: condition });
        if (!isRead && !(operators.length > 0 && operators.every(([, value]) => value !== undefined)))
            throw new TypeError(`where.${field} has no value.`);
        for (const [operator, value] of operators) {
            const isReserved = isRead && isParameter.test(field);
            if (value === undefined)
                continue;
            if (value === null || operator === "is_null")
                filters[field + (value === false ? "__is_not_null" : "__is_null")] = true;
            else if (operator !== "eq")
                filters[`${field}__${operator}`] = value;
            else
                filters[isReserved ? `${field}__in` : field] = isReserved ? [value] : value;
        }
    }
    return filters;
}
function parametersOf(query) {
    const { orderBy } = query;
    return Object.assign(filtersOf(query.where, true), {
        select_fields: query.select?.join(),
        order_by: orderBy?.replace(/^-/, ""),
        order: orderBy?.startsWith("-") ? "DESC" : undefined,
        limit: query.limit,
        page: query.page,
        offset: query.offset,
        page__after: query.after,
        page__before: query.before,
        page__total: query.total,
    });
}
function lazyQuery(query, ask) {
    const position = query.page ?? query.offset;
    const isPaged = (position ?? query.after ?? query.before) !== undefined;
    const { total: _, ...withoutTotal } = query;
    const askRows = () => callOf(ask(parametersOf(isPaged ? query : withoutTotal)), dataOf);
    const askPage = (changed) => callOf(ask(parametersOf({ ...query, ...changed })), (pageOf));
    async function* pages() {
        if (position !== undefined)
            throw new TypeError("An iteration takes no page and no offset.");
        const isBackwards = query.before !== undefined;
        let cursor = (isBackwards ? query.before : query.after) ?? "start";
        while (cursor !== null) {
            const page = await askPage({
                limit: query.limit ?? 100,
                [isBackwards ? "before" : "after"]: cursor,
            });
            yield page;
            cursor = isBackwards ? page.previous : page.next;
        }
    }
    let rows = null;
    return {
        then(onRows, onError) {
            rows ??= askRows();
            return rows.then(onRows, onError);
        },
        result: () => askRows().result(),
        page: () => askPage(isPaged ? {} : { after: "start" }),
        pages,
        async *[Symbol.asyncIterator]() {
            for await (const page of pages())
                yield* page.rows;
        },
    };
}
function pageOf(success) {
    const { has_more, total_pages, ...rest } = success.pagination;
    const page = { rows: success.data, next: null, previous: null, ...rest, hasMore: has_more };
    return (total_pages === undefined ? page : { ...page, totalPages: total_pages });
}
function modelMethods(send, entry) {
    const [path, ...names] = entry.split(" ");
    const ask = (method, operation, content, options) => send({ ...options, ...content, method, path: `${path}/${operation}` });
    const find = (operation, query = {}, options, more) => lazyQuery(query, (parameters) => ask("GET", operation, { query: { ...parameters, ...more } }, options));
    const figure = (name) => (where, options) => callOf(ask("GET", name, { query: filtersOf(where, true) }, options), ({ data }) => data[name]);
    const add = (method, operation) => (data, options) => callOf(ask(method, operation, { body: { data } }, options), dataOf);
    const change = (method, operation, fixed) => ({ where, ids, data }, options) => {
        const body = { where: where && filtersOf(where), ids, data: fixed ? { ...fixed, ...data } : data };
        return callOf(ask(method, operation, { body }, options), dataOf);
    };
    const methods = {
        fetch: (query, options) => find("fetch", query, options),
        get: (id, options) => callOf(ask("GET", "fetch", { query: { ...filtersOf({ id }), limit: 1 } }, options), ({ data }) => data[0] ?? null),
        search: (search_term, query, options) => find("search", query, options, { search_term }),
        count: figure("count"),
        exists: figure("exists"),
        create: add("POST", "create"),
        createMany: add("POST", "create"),
        update: change("PUT", "update"),
        updateMany: add("PUT", "update"),
        upsert: add("PUT", "upsert"),
        delete: change("DELETE", "delete"),
        destroy: change("DELETE", "destroy"),
        restore: change("PATCH", "restore", { deleted_at: null }),
    };
    return Object.fromEntries(names.map((name) => [name, methods[name]]));
}
function upload(send, request, { file, onProgress, ...fields }) {
    const raw = new FormData();
    for (const [name, value] of Object.entries(fields))
        if (value !== undefined)
            raw.append(name, typeof value === "string" ? value : JSON.stringify(value));
    raw.append("file", file);
    let loaded = 0;
    let total = "size" in file ? file.size : 0;
    const report = (progress) => {
        loaded = Math.max(loaded, progress.loaded);
        total = progress.total;
        onProgress?.({ loaded, total });
    };
    return callOf(send({ timeout: 0, ...request, raw, upload: onProgress ? report : null }), ({ data }) => {
        onProgress?.({ loaded: total, total });
        return data;
    });
}
function textOf(document, print) {
    if (Object(document) instanceof String)
        return String(document);
    if (print)
        return print(document);
    const text = document.loc?.source?.body;
    if (text === undefined)
        throw new TypeError('The option "print" is needed for this document.');
    return text;
}
function methodOf(client, send, sessions, entry) {
    const [method = "", template = "", takes = "none", ...notes] = entry.split(" ");
    const has = (note) => notes.includes(note);
    const property = has("ends") ? "token" : has("renews") && "refreshToken";
    const read = async (success) => {
        if (takes !== "route")
            await sessions.keep(success);
        return success.data;
    };
    return (...given) => {
        const apart = has("apart") ? given.shift() : undefined;
        const input = { ...(takes !== "none" && Object(given.shift())) };
        const { params = input, query, body } = takes === "route" ? input : { [takes]: input };
        const path = template.replace(/\{(\w+)\}/g, (_, name) => {
            const value = String(params[name] ?? apart ?? "");
            if (takes !== "route")
                delete params[name];
            if (/^\.{0,2}$/.test(value))
                throw new TypeError(`${template}: ${name} is "${value}".`);
            return encodeURIComponent(value);
        });
        const options = given[0];
        const request = {
            ...options,
            method,
            path,
            query,
            open: has("open"),
            response: has("response"),
        };
        if (takes === "url")
            return addressOf(client, path, input);
        if (takes === "form")
            return upload(send, request, input);
        if (has("files"))
            return filesOf((query) => send({ ...request, query }), input);
        if (!property)
            return callOf(send({ ...request, [has("raw") ? "raw" : "body"]: body }), read);
        const sending = async () => {
            const session = await sessions.get();
            let kept = null;
            try {
                const success = await send({ ...request, body: { [property]: session?.refreshToken, ...input } });
                if (session && input["logout_type"] === "others")
                    kept = { ...session, expiresAt: 0 };
                return success;
            }
            finally {
                if (has("ends"))
                    await sessions.set(kept);
            }
        };
        return callOf(sending(), read);
    };
}
function filesOf(ask, query) {
    const pageOf = (asked) => callOf(ask(asked), ({ data }) => data);
    const first = pageOf(query);
    return Object.assign(first, {
        async *[Symbol.asyncIterator]() {
            for (let page = await first;; page = await pageOf({ ...query, after: page.next })) {
                yield* page.files;
                if (page.next === undefined)
                    return;
            }
        },
    });
}
function connect(client, { models, hidden, groups, graphql, refresh }) {
    const { timeout = 30_000, retries = 2 } = client;
    const send = (request) => repeated(request, retries, () => limited(request, request.timeout ?? timeout, async (signal) => {
        const bearer = await sessions.bearer(request.open);
        try {
            return await exchange(client, request, bearer, signal);
        }
        catch (thrown) {
            const { error } = Object(thrown);
            const isEnded = error === "TOKEN_EXPIRED" && bearer && !request.open && !isStream(request.raw);
            const renewed = isEnded && sessions.renew(bearer);
            if (!renewed)
                throw thrown;
            return exchange(client, request, await renewed, signal);
        }
    }));
    const sessions = keepSession(client, (refreshToken) => send({ method: "POST", path: refresh, body: { refreshToken }, open: true }));
    const { get, set, subscribe } = sessions;
    const all = {};
    for (const [key, entry] of Object.entries(models))
        all[key] = modelMethods(send, entry);
    const visible = { ...all };
    for (const key of hidden.split(" "))
        delete visible[key];
    return {
        ...visible,
        models: all,
        session: { get, set, subscribe },
        ...membersOf(groups, (entry) => methodOf(client, send, sessions, entry)),
        graphql: (document, variables, options) => {
            const query = textOf(document, client.print);
            return callOf(send({ ...options, method: "POST", path: graphql, body: { query, variables } }), dataOf);
        },
    };
}
function membersOf(group, method) {
    const members = {};
    for (const [operation, names] of Object.entries(group)) {
        if (typeof names === "object")
            members[operation] = membersOf(names, method);
        else
            for (const each of names.split(" ")) {
                const [name = "", segment = name.replace(/[A-Z]/g, "-$&").toLowerCase()] = each.split(":");
                members[name] = method(operation.replace("*", segment));
            }
    }
    return members;
}
const tables = {
    models: {
        authors: "/authors fetch get search count exists create createMany update updateMany upsert delete",
        books: "/books fetch get search count exists create createMany update updateMany upsert delete destroy restore",
        customers: "/customers fetch get search count exists create createMany update updateMany upsert delete",
        orders: "/orders fetch get search count exists create createMany update updateMany delete",
        order_items: "/order-items fetch get count exists create createMany delete",
        shipments: "/shipments fetch get count exists create createMany update updateMany delete",
        reviews: "/reviews fetch get search count exists create createMany update updateMany upsert delete restore",
        gift_cards: "/gift_cards fetch get search count exists create createMany update updateMany upsert",
        announcements: "/announcements fetch get count exists create createMany update updateMany upsert delete",
    },
    hidden: "",
    groups: {
        routes: {
            "POST /webhooks/payments route raw": "postWebhooksPayments",
        },
        auth: {
            "POST /auth/* body open": "register login requestVerification requestResetPassword resetPassword requestOtp verifyOtp verifyWebAuth",
            "POST /auth/* body open renews": "refresh:refresh-token",
            "POST /auth/* body open ends": "logout",
            "GET /auth/* none": "me",
            account: {
                "PATCH /auth/* body": "update:me",
                "POST /auth/* body": "changeEmail setPassword changePhone",
                "DELETE /auth/* none": "cancelChangeEmail:change-email removePassword:password removePhone:phone",
                "POST /auth/change-email/* body open": "confirmChangeEmail:confirm",
                "GET /auth/* none": "get:account",
                "POST /auth/change-phone/* body": "confirmChangePhone:confirm",
            },
            "POST /auth/* body": "changePassword generateVerificationLink verifyMfa disableMfa",
            apiKeys: {
                "POST /auth/api-keys/* body": "create",
                "GET /auth/api-keys/* query": "list",
                "DELETE /auth/api-keys/* body": "revoke",
            },
            "POST /auth/* none": "setupMfa",
            "GET /auth/* none open": "providers",
            sessions: {
                "GET /auth/* none": "list:sessions",
                "DELETE /auth/* none": "endOthers:sessions",
                "DELETE /auth/sessions/{id} none": "end",
            },
        },
        storage: {
            "POST /storage/upload/* form": "uploadImage:image uploadFile:file",
            "DELETE /storage/* query": "delete",
            "GET /storage/* query": "url",
            "GET /storage/* query files": "list",
        },
        rateLimits: {
            "GET /admin/* query": "list:rate-limits",
            "GET /admin/rate-limits/{key} query": "get",
            "DELETE /admin/rate-limits/{key} query": "reset",
        },
    },
    graphql: "/graphql",
    refresh: "/auth/refresh-token",
};
export function createClient(options) {
    return connect(options, tables);
}
