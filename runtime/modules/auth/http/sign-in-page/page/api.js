// @ts-check
/** @import { Answer, DataOf, RefusedAnswer, TokensOfTab } from "./sign-in-types.ts" */

/** @type {RefusedAnswer} */
const unreachable = {
  ok: false,
  message: "The server could not be reached. Please try again.",
  error: null,
  field: null,
  details: {},
};

/**
 * Calls the routes of the accounts. Paths are relative to the page, so that they include `auth_prefix` and the
 * prefix of a proxy. The tokens stay in the memory of the tab.
 */
export class Api {
  /** @type {TokensOfTab | null} */
  tokens = null;

  /** @template {string} Path @param {Path} path */
  get(path) {
    return this.send("GET", path);
  }

  /** @template {string} Path @param {Path} path @param {object} body */
  post(path, body = {}) {
    return this.send("POST", path, body);
  }

  /**
   * @template {string} Path
   * @param {"GET" | "POST" | "PATCH" | "DELETE"} method
   * @param {Path} path
   * @param {object} [body]
   * @returns {Promise<Answer<DataOf<Path>>>}
   */
  async send(method, path, body) {
    try {
      const response = await fetch(path, {
        method,
        headers: {
          ...(body && { "Content-Type": "application/json" }),
          ...(this.tokens && { Authorization: `Bearer ${this.tokens.accessToken}` }),
        },
        body: body ? JSON.stringify(body) : null,
        cache: "no-store",
        redirect: "error",
        referrerPolicy: "no-referrer",
      });
      const { message, error, details, data } = await response.json();
      if (response.ok) return { ok: true, message: String(message), data };
      return {
        ok: false,
        message: String(message),
        error,
        field: details?.field ?? null,
        details: details ?? {},
      };
    } catch {
      return unreachable;
    }
  }
}
