// @ts-check
/** @import { Answers, AnswersById } from "./types.ts" */

/** A failed request. The message is for users. */
export class ApiFailure extends Error {
  /**
   * @param {string} message
   * @param {boolean} isAboutKey the key is wrong, or the service has none
   */
  constructor(message, isAboutKey = false) {
    super(message);
    this.isAboutKey = isAboutKey;
  }
}

const timeoutMs = 20_000;

/**
 * Asks the monitoring endpoints with the ingestion key, which only this object holds. Paths are relative to the page, so that they follow
 * the prefix of a proxy. Errors: `ApiFailure`; an `AbortError` when `signal` aborts.
 */
export class ApiClient {
  /** @type {string} */
  #authorization;

  /** @param {string} key */
  constructor(key) {
    // `fetch` takes one character for each byte of a header.
    this.#authorization = `Bearer ${String.fromCharCode(...new TextEncoder().encode(key))}`;
  }

  /**
   * Empty values of the query are not sent.
   *
   * @template {keyof Answers} Path
   * @param {Path} path
   * @param {AbortSignal} signal
   * @param {Readonly<Record<string, string | number>>} query
   * @returns {Promise<Answers[Path]>}
   */
  get(path, signal, query = {}) {
    const sent = Object.entries(query).filter(([, value]) => value !== "");
    const parameters = new URLSearchParams(sent.map(([name, value]) => [name, String(value)]));
    return this.#ask(sent.length === 0 ? path : `${path}?${parameters}`, signal);
  }

  /**
   * @template {keyof AnswersById} Path
   * @param {Path} path
   * @param {AbortSignal} signal
   * @param {string} id
   * @returns {Promise<AnswersById[Path]>}
   */
  getOne(path, signal, id) {
    return this.#ask(`${path}/${encodeURIComponent(id.toWellFormed())}`, signal);
  }

  /**
   * @template Answer
   * @param {string} path
   * @param {AbortSignal} signal
   * @returns {Promise<Answer>}
   */
  async #ask(path, signal) {
    const response = await this.#fetch(path, signal);
    const body = await bodyOf(response, signal);
    if (response.ok && body !== null) return /** @type {Answer} */ (body.data);
    throw failureOf(response.status, body?.message, path);
  }

  /**
   * @param {string} path
   * @param {AbortSignal} signal
   */
  async #fetch(path, signal) {
    try {
      return await fetch(path, {
        headers: { Authorization: this.#authorization },
        cache: "no-store",
        redirect: "error",
        referrerPolicy: "no-referrer",
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      });
    } catch (error) {
      throw signal.aborted ? error : new ApiFailure("The service does not answer.");
    }
  }
}

/**
 * The envelope of a response; null if a proxy responded in place of the service.
 *
 * @param {Response} response
 * @param {AbortSignal} signal
 */
async function bodyOf(response, signal) {
  try {
    /** @type {unknown} */
    const body = await response.json();
    if (typeof body !== "object" || body === null) return null;
    const { data = null, message = "" } = /** @type {Partial<Record<string, unknown>>} */ (body);
    return { data, message: String(message) };
  } catch (error) {
    if (signal.aborted) throw error;
    return null;
  }
}

/**
 * @param {number} status
 * @param {string | undefined} message
 * @param {string} path
 */
function failureOf(status, message, path) {
  if (status === 401) return new ApiFailure("This is not the ingestion key of this service.", true);
  // Health answers even while the store is away: a 503 means that the service has no key.
  if (status === 503 && path === "health" && message !== undefined)
    return new ApiFailure(
      "This service has no ingestion key: set SERVICE_MONITORING_INGESTION_KEY, and start it again.",
      true,
    );
  return new ApiFailure(message || `The service cannot answer now (status ${status}).`);
}
