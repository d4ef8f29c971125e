// Made by `kirak client` from the models of the service. Edit those, not this file.
export class ApiError extends Error {
    constructor(error, message, facts) {
        super(message, facts);
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
    const { method, path, body, raw, upload } = request;
    const { apiKey } = client;
    if (/[^ -~]/.test(`${bearer}${apiKey}`))
        throw new TypeError("The token is not a header.");
    const headers = {};
    const all = {
        "content-type": body !== undefined && "application/json",
        authorization: bearer && `Bearer ${bearer}`,
        "x-api-key": apiKey,
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
        body: raw ?? JSON.stringify(body),
        credentials: client.credentials,
        redirect: "error",
        duplex: "half",
    };
    const url = addressOf(client, path, request.query);
    let answer;
    let text;
    try {
        if (signal.aborted)
            throw signal;
        const isXhr = upload && !apiKey && globalThis.XMLHttpRequest;
        answer = await (isXhr ? overXhr(url, init, upload) : (client.fetch ?? fetch)(url, init));
        if (request.response && answer.ok)
            return { data: answer };
        text = await answer.text();
    }
    catch (cause) {
        throw new ApiError("NETWORK_ERROR", `${method} ${path}: no answer`, { cause });
    }
    return successOf(request, answer, text);
}
function overXhr(url, { method, headers, signal, credentials, body }, report) {
    return new Promise((resolve, reject) => {
        const xhr = new XMLHttpRequest();
        xhr.open(method, url);
        xhr.withCredentials = credentials === "include";
        for (const [name, value] of Object.entries(headers))
            xhr.setRequestHeader(name, value);
        xhr.upload.onprogress = report;
        xhr.onload = () => resolve({
            status: xhr.status,
            headers: { get: (name) => xhr.getResponseHeader(name) },
            text: async () => xhr.responseText,
        });
        xhr.onerror = reject;
        signal.addEventListener("abort", () => xhr.abort());
        xhr.send(body);
    });
}
function successOf({ method, path }, { status, headers }, text) {
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
    const { error = "UNEXPECTED_ANSWER", message = `${method} ${path}: unexpected answer`, details } = envelope;
    const seconds = Number(headers.get("retry-after") || Number.NaN);
    const retryAfter = seconds >= 0 ? seconds : undefined;
    throw new ApiError(error, message, {
        status,
        requestId: headers.get("x-request-id"),
        retryAfter,
        details,
    });
}
function limited({ method, path, signal, upload, response }, timeout, run) {
    const controller = new AbortController();
    let timer;
    let abort = () => { };
    return new Promise((resolve, reject) => {
        const fail = (code, text, cause) => {
            reject(new ApiError(code, `${method} ${path}: ${text}`, { cause }));
            controller.abort();
        };
        abort = () => fail("ABORTED", "aborted", upload === undefined ? signal?.reason : undefined);
        if (signal?.aborted)
            return abort();
        signal?.addEventListener("abort", abort);
        if (timeout > 0)
            timer = setTimeout(() => fail("TIMEOUT", `no answer in ${timeout} ms`), timeout);
        run(controller.signal).then(resolve, reject);
    }).finally(() => {
        clearTimeout(timer);
        if (!response)
            signal?.removeEventListener("abort", abort);
    });
}
function callOf(sending, read) {
    const failure = (error) => (thrown) => {
        throw isApiError(thrown) ? thrown : new ApiError(error, `${thrown}`, { cause: thrown });
    };
    const outcome = sending
        .catch(failure("ABORTED"))
        .then(read)
        .catch(failure("UNEXPECTED_ANSWER"));
    const data = outcome.catch((error) => {
        throw error.error === "ABORTED" ? (error.cause ?? error) : error;
    });
    return Object.assign(data, {
        result: () => {
            data.catch(() => { });
            return outcome.then((data) => ({ ok: true, data }), (error) => ({ ok: false, error }));
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
            const { status, error, retryAfter } = Object(thrown);
            const isRead = method === "GET";
            const isSafe = status === 503
                ? isRead || (retryAfter !== undefined && error !== "UNEXPECTED_ANSWER")
                : status === 429 || (isRead && error === "NETWORK_ERROR");
            const seconds = retryAfter ?? 0.25 * 2 ** tried * (0.75 + Math.random() / 2);
            waited += seconds;
            if (!isSafe || isStream(raw) || tried >= retries || waited > 60)
                throw thrown;
            await limited({ signal }, seconds * 1000 + 1, () => new Promise(() => { })).catch(() => { });
        }
    }
}
function isStream(raw) {
    return "getReader" in Object(raw);
}
export function browserStorage(key) {
    let kept = null;
    return {
        get() {
            try {
                return kept ?? JSON.parse(localStorage.getItem(key) ?? "null");
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
function keepSession(client, refresh) {
    const { token, apiKey, credentials, storage, url } = client;
    const listeners = new Set();
    let kept;
    const inTurn = turnsOf(url);
    let refreshing = null;
    const get = async () => (storage && kept === undefined ? storage.get() : (kept ?? null));
    const set = async (session) => {
        kept = session;
        for (const listener of listeners)
            notify(listener, session);
        if (!storage)
            return;
        await storage.set(session);
        if (kept === session)
            kept = undefined;
    };
    const keep = async (success) => {
        const { accessToken, refreshToken, expiresIn } = Object(success.data);
        if (refreshToken)
            await set({ accessToken, refreshToken, expiresAt: Date.now() + expiresIn * 1000 });
        return success;
    };
    const use = (exchange, given, ends) => inTurn(async () => {
        const before = await get();
        const sent = before?.refreshToken;
        let isOver = ends;
        try {
            const success = await exchange(before);
            if ((await get().catch(() => before))?.refreshToken === sent)
                await keep(success);
            return success;
        }
        catch (thrown) {
            isOver ??= isRefusal(thrown);
            throw thrown;
        }
        finally {
            if (isOver && (await get())?.refreshToken === (given ?? sent))
                await set(null);
        }
    });
    const renewed = async (used) => {
        refreshing ??= use((session) => session?.accessToken === used ? refresh({ refreshToken: session.refreshToken }) : { data: null }).finally(() => {
            refreshing = null;
        });
        const cause = await refreshing.then(() => { }, (thrown) => {
            if (isRefusal(thrown))
                return thrown;
            throw thrown;
        });
        const session = await get();
        if (session)
            return session.accessToken;
        throw new ApiError("TOKEN_EXPIRED", "The session has ended.", { status: 401, cause });
    };
    return {
        get,
        set,
        subscribe(listener) {
            listeners.add(listener);
            return () => listeners.delete(listener);
        },
        keep,
        use,
        async bearer({ open }) {
            if (token !== undefined)
                return typeof token === "function" ? token() : token;
            const session = apiKey || (credentials ?? "omit") !== "omit" ? null : await get();
            const isEnding = session && !open && session.expiresAt - Date.now() < 10_000;
            return isEnding ? renewed(session.accessToken) : session?.accessToken;
        },
        async renew(_, used, failure) {
            const isEnded = /^TOKEN_/.test(Object(failure).error);
            if (!used || !isEnded || token !== undefined)
                throw failure;
            return renewed(used);
        },
    };
}
function turnsOf(url) {
    let turns = Promise.resolve();
    return async (run) => {
        const locks = globalThis.navigator?.locks;
        if (locks)
            return await locks.request(`kirak ${url}`, run);
        const result = turns.then(run);
        turns = result.catch(() => { });
        return result;
    };
}
function notify(listener, value) {
    void Promise.resolve(value).then(listener);
}
function isRefusal(thrown) {
    const { status, error } = Object(thrown);
    return [400, 401, 403].includes(status) && error !== "UNEXPECTED_ANSWER";
}
const isParameter = /^(limit|page|offset|order(_by)?|select_fields|search_term)$/;
function filtersOf(where = {}, isRead = false) {
    const filters = {};
    for (const [field, condition] of Object.entries(where)) {
        const isNested = Object(condition) === condition && !Array.isArray(condition);
        const operators = Object.entries(isNested ? condition : { eq: condition });
        const lacksValue = ([operator, value]) => value === undefined || (value === null && operator !== "eq");
        if (!operators[0] || operators.some(lacksValue))
            throw new TypeError(`where.${field} has no value.`);
        for (const [operator, value] of operators) {
            if (value === null || operator === "is_null")
                filters[field + (value === false ? "__is_not_null" : "__is_null")] = true;
            else if (operator !== "eq")
                filters[`${field}__${operator}`] = value;
            else
                filters[isRead && isParameter.test(field) ? `where[${field}]` : field] = value;
        }
    }
    return filters;
}
function lazyQuery({ where, select, orderBy, limit, page, offset, after, before, total }, search_term, ask) {
    const position = page ?? offset;
    const isPaged = (position ?? after ?? before) !== undefined;
    const parameters = Object.assign(filtersOf(where, true), {
        select_fields: select?.join(),
        order_by: orderBy?.replace(/^-/, ""),
        order: orderBy?.startsWith("-") ? "DESC" : undefined,
        limit,
        page,
        offset,
        page__after: after,
        page__before: before,
        search_term,
    });
    const askWith = (changed) => ask({ ...parameters, ...changed });
    const askRows = () => callOf(askWith({ page__total: isPaged ? total : undefined }), dataOf);
    const askPage = (changed) => callOf(askWith({ page__total: total, ...changed }), (pageOf));
    async function* pages() {
        if (position !== undefined)
            throw new TypeError("An iteration takes no page or offset.");
        const [name, direction] = before === undefined ? ["page__after", "next"] : ["page__before", "previous"];
        let cursor = before ?? after ?? "start";
        while (cursor !== null) {
            const found = await askPage({ limit: limit ?? 100, [name]: cursor });
            yield found;
            cursor = found[direction];
        }
    }
    let rows = null;
    return {
        then(onRows, onError) {
            rows ??= askRows();
            return rows.then(onRows, onError);
        },
        result: () => askRows().result(),
        page: () => askPage(isPaged ? {} : { page__after: "start" }),
        pages,
        async *[Symbol.asyncIterator]() {
            for await (const page of pages())
                yield* page.rows;
        },
    };
}
function pageOf(success) {
    const { has_more, total_pages, ...rest } = success.pagination;
    return {
        rows: success.data,
        next: null,
        previous: null,
        ...rest,
        hasMore: has_more,
        ...(total_pages === undefined ? {} : { totalPages: total_pages }),
    };
}
const verbs = { create: "POST", update: "PUT", upsert: "PUT", restore: "PATCH" };
function modelMethods(send, entry) {
    const [path, ...names] = entry.split(" ");
    const read = (operation, query, options) => send({ ...options, method: "GET", path: `${path}/${operation}`, query });
    const find = (operation, query = {}, options, term) => lazyQuery(query, term, (parameters) => read(operation, parameters, options));
    const figure = (name) => (where, options) => callOf(read(name, filtersOf(where, true), options), ({ data }) => data[name]);
    const write = (name) => (given, options) => {
        const { where, ids, data } = given;
        const body = /^(update|delete|destroy|restore)$/.test(name)
            ? {
                where: where && filtersOf(where),
                ids,
                data: name === "restore" ? { deleted_at: null, ...data } : data,
            }
            : { data: given };
        const operation = name.replace("Many", "");
        const method = verbs[operation] ?? "DELETE";
        return callOf(send({ ...options, method, path: `${path}/${operation}`, body }), dataOf);
    };
    const methods = {
        fetch: (query, options) => find("fetch", query, options),
        get: (id, options) => callOf(read("fetch", { ...filtersOf({ id }), limit: 1 }, options), ({ data }) => data[0] ?? null),
        search: (term, query, options) => find("search", query, options, term),
        count: figure("count"),
        exists: figure("exists"),
    };
    return Object.fromEntries(names.map((name) => [name, methods[name] ?? write(name)]));
}
function upload(send, request, { file, onProgress, ...fields }) {
    const raw = new FormData();
    for (const [name, value] of Object.entries(fields))
        if (value !== undefined)
            raw.append(name, typeof value === "object" ? JSON.stringify(value) : `${value}`);
    raw.append("file", file);
    let loaded = 0;
    let total = file.size ?? 0;
    const report = (progress) => {
        loaded = Math.max(loaded, progress.loaded);
        total = Math.max(total, progress.total, loaded);
        if (onProgress)
            notify(onProgress, { loaded, total });
    };
    const sending = send({ timeout: 0, ...request, raw, upload: onProgress ? report : null });
    return callOf(sending.then((success) => {
        report({ loaded: total, total });
        return success;
    }), dataOf);
}
function textOf(document, print) {
    if (Object(document) instanceof String)
        return String(document);
    if (print)
        return print(document);
    const text = document.loc?.source?.body;
    if (!text)
        throw new TypeError('The option "print" is needed for this document.');
    return text;
}
function methodOf(client, send, sessions, entry) {
    const [method = "", template = "", takes = "none", ...notes] = entry.split(" ");
    const has = (note) => notes.includes(note);
    const property = notes.find((note) => /token/i.test(note));
    return (...given) => {
        const apart = has("apart") ? given.shift() : undefined;
        const input = {
            ...(has("begins") && sessions.signIn),
            ...(takes !== "none" && Object(given.shift())),
        };
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
        if (!property) {
            const sending = send({ ...request, [has("raw") ? "raw" : "body"]: body });
            return callOf(takes === "route" ? sending : sending.then(sessions.keep), dataOf);
        }
        const sending = sessions.use((session) => send({ ...request, body: { [property]: session?.refreshToken, ...input } }), input[property], property === "token" ? input["logout_type"] !== "others" : undefined);
        return callOf(sending, dataOf);
    };
}
function filesOf(ask, query) {
    const pageOf = (asked) => callOf(ask(asked), ({ data }) => data);
    const first = pageOf(query);
    return Object.assign(first, {
        async *[Symbol.asyncIterator]() {
            for (let page = await first;; page = await pageOf({ ...query, after: page.next })) {
                yield* page.files;
                if (!page.next)
                    return;
            }
        },
    });
}
function connect(client, { models, hidden, groups, graphql, refresh }, keeper) {
    const { timeout = 30_000, retries = 2 } = client;
    const attempt = (request) => limited(request, request.timeout ?? timeout, async (signal) => {
        const bearer = await sessions.bearer(request);
        try {
            return await exchange(client, request, bearer, signal);
        }
        catch (thrown) {
            if (request.open || isStream(request.raw))
                throw thrown;
            return exchange(client, request, await sessions.renew(request, bearer, thrown), signal);
        }
    });
    const send = (request) => repeated(request, retries, () => attempt(request));
    const sessions = keeper(client, (body) => attempt({ method: "POST", path: refresh, body, open: true }));
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
function withReauthentication(client, { token }) {
    const { auth } = client;
    const begin = async (given) => {
        const before = token === undefined ? await auth.sessions.list().result() : null;
        const data = await auth.login(...given);
        for (const { id, current } of before?.data?.sessions ?? [])
            if (current)
                await auth.sessions.end({ id }).result();
        return { data };
    };
    auth.reauthenticate = (...given) => callOf(begin(given), dataOf);
    return client;
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
            "POST /auth/* body open": "register login requestVerification requestResetPassword resetPassword requestOtp verifyOtp verifyWebAuth acceptInvitation",
            "POST /auth/* body open refreshToken": "refresh:refresh-token",
            "POST /auth/* body open token": "logout",
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
            social: {
                "GET /auth/providers/* none": "linked",
                "DELETE /auth/providers/{provider} none apart": "unlink",
            },
            sessions: {
                "GET /auth/* none": "list:sessions",
                "DELETE /auth/* none": "endOthers:sessions",
                "DELETE /auth/sessions/{id} body": "end",
            },
        },
        users: {
            "GET /admin/* query": "list:users",
            "POST /admin/* body": "create:users",
            "GET /admin/users/{id} query": "get",
            "PATCH /admin/users/{id} body": "update",
            "DELETE /admin/users/{id} body": "delete",
            "GET /admin/users/{id}/* query": "listSessions:sessions",
            "POST /admin/users/{id}/* body": "invite signOut",
            "DELETE /admin/users/{id}/* body": "resetMfa:mfa",
        },
        storage: {
            "POST /storage/upload/* form": "uploadImage:image uploadFile:file",
            "DELETE /storage/* query": "delete",
            "GET /storage/* query": "url",
            "GET /storage/* query files": "list",
            "POST /storage/* body": "move",
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
    return withReauthentication(connect(options, tables, keepSession), options);
}
