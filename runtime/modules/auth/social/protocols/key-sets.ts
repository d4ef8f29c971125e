import type { JSONWebKeySet, JWTVerifyGetKey } from "jose";
import { isJsonObject } from "../../../../../vocabulary/json.ts";
import { type Document, documentOf } from "../outbound.ts";
import { SocialFailure } from "../social-failure.ts";
import type { ProtocolContext } from "./protocol.ts";

/** The maximum age of a cached value, in milliseconds. */
const longestAge = 3_600_000;

/** The minimum time between two fetches by `refresh`, in milliseconds. */
const refreshInterval = 60_000;

/** A fetch: its start in milliseconds, and its result. */
interface CachedFetch<Value> {
  readonly at: number;
  readonly value: Promise<Value>;
}

/** Caches fetched values by address. Concurrent callers share a fetch. A failure keeps the earlier value. */
export class FetchCache<Value> {
  readonly #values = new Map<string, CachedFetch<Value>>();
  readonly #pending = new Map<string, Promise<Value>>();
  readonly #latest = new Map<string, CachedFetch<Value>>();
  readonly #fetch: (url: URL) => Promise<Value>;
  readonly #now: () => number;

  constructor(fetch: (url: URL) => Promise<Value>, now: () => number) {
    this.#fetch = fetch;
    this.#now = now;
  }

  /** Returns the value of an address, at most an hour old. */
  get(url: URL): Promise<Value> {
    const known = this.#values.get(url.href);
    if (known !== undefined && this.#now() - known.at < longestAge) return known.value;
    return this.#pending.get(url.href) ?? this.#renew(url);
  }

  /** Fetches the value again, unless the last fetch began less than a minute ago. Then returns its result. */
  refresh(url: URL): Promise<Value> {
    const latest = this.#latest.get(url.href);
    return latest !== undefined && this.#now() - latest.at < refreshInterval
      ? latest.value
      : this.#renew(url);
  }

  delete(url: URL): void {
    this.#values.delete(url.href);
  }

  #renew(url: URL): Promise<Value> {
    const { href } = url;
    const value = this.#fetch(url);
    const fetched = { at: this.#now(), value };
    this.#pending.set(href, value);
    this.#latest.set(href, fetched);
    const end = () => {
      if (this.#pending.get(href) === value) this.#pending.delete(href);
    };
    value.then(
      () => {
        end();
        this.#values.set(href, fetched);
      },
      // The caller of the fetch gets the error.
      end,
    );
    return value;
  }
}

/** The signing keys of providers, by the address that publishes them. */
export class KeySets {
  readonly #sets: FetchCache<JWTVerifyGetKey>;

  constructor({ outbound, now }: ProtocolContext) {
    this.#sets = new FetchCache(async (url) => {
      const { createLocalJWKSet } = await import("jose");
      return createLocalJWKSet(keySet(documentOf(await outbound.ask({ method: "GET", url }))));
    }, now);
  }

  /** Returns a function that finds the key of a token. It fetches the set again if the key is missing. */
  at(url: URL): JWTVerifyGetKey {
    return async (header, token) => {
      try {
        return await (await this.#sets.get(url))(header, token);
      } catch (error) {
        const { errors } = await import("jose");
        if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
        return (await this.#sets.refresh(url))(header, token);
      }
    };
  }
}

function keySet(document: Document): JSONWebKeySet {
  if (isKeySet(document)) return document;
  throw new SocialFailure("the provider's key set is malformed");
}

function isKeySet(document: Document): document is JSONWebKeySet {
  if (!isJsonObject(document)) return false;
  const { keys } = document;
  return Array.isArray(keys) && keys.every((key) => isJsonObject(key) && typeof key["kty"] === "string");
}
