import { plainError, type Redis, type Result } from "../../core/cache/index.ts";
import { ServiceError } from "../../core/errors/index.ts";
import type { Count, Counter, CounterStore, Hit } from "./rate-limiter.ts";

/**
 * A counter is a list. Its head is `<base> <max requests> <window>`. An entry `<moment>:<total>` follows for each
 * moment at which requests passed, oldest first. `total` counts all requests until the moment, and `base` is the
 * total of the newest expired entry. So the last total minus `base` is the number of requests in the window.
 * Moments and windows are milliseconds of the Redis server's clock.
 */
const sharedFunctions = `
local function moment(given)
  if given ~= "" then return tonumber(given) end
  local time = redis.call("TIME")
  return time[1] * 1000 + math.floor(time[2] / 1000)
end

local function parsed(found)
  if not found then return nil end
  local at, counted = string.match(found, "^(%d+):(%d+)$")
  return tonumber(at), tonumber(counted)
end
`;

/**
 * Counts requests. KEYS: counters. ARGV: the moment or "", then for each key: requests, max requests, window, step.
 * Requests of one step share an entry, which has the moment of the last request. Returns the moment, and for each key:
 * granted requests, requests in the window, and the moment at which the oldest entry leaves the window. A script blocks
 * Redis, so the number of commands grows only with the logarithm of the expired entries.
 */
const countScript = `${sharedFunctions}
local function entry(key, index) return parsed(redis.call("LINDEX", key, index)) end

-- Index of the first entry after the moment, else the length of the list. Searches from the oldest entry in growing
-- steps, because few entries have expired since the last call.
local function first_after(key, moment)
  local length = redis.call("LLEN", key)
  local low, high = 1, 2
  while high < length and entry(key, high) <= moment do low, high = high + 1, high * 2 end
  high = math.min(high, length)
  while low < high do
    local middle = math.floor((low + high) / 2)
    if entry(key, middle) <= moment then low = middle + 1 else high = middle end
  end
  return low
end

-- The head of a counter and its base. Deletes any other value, because an error would stop the whole batch.
local function read(key)
  local head = redis.pcall("LINDEX", key, 0)
  if not head then return nil, 0 end
  local base = type(head) == "string" and string.match(head, "^(%d+) %d+ %d+$")
  if base then return head, tonumber(base) end
  redis.call("DEL", key)
  return nil, 0
end

local function count(key, now, requests, max, window, step)
  local head, base = read(key)
  local last, counted = nil, base
  if head then last, counted = entry(key, -1) end
  if last and last > now then
    -- The clock was set back. One entry at the present moment replaces the later entries.
    redis.call("LTRIM", key, 0, first_after(key, now) - 1)
    redis.call("RPUSH", key, string.format("%.0f:%.0f", now, counted))
    redis.call("PEXPIRE", key, window)
    last = now
  end
  local oldest = entry(key, 1)
  if oldest and oldest <= now - window then
    local left = first_after(key, now - window) - 1
    local _, until_then = entry(key, left)
    base = until_then
    -- LTRIM removes the old head and keeps the newest expired entry, which LSET replaces by the new head.
    redis.call("LTRIM", key, left, -1)
    oldest = entry(key, 1)
  end
  local limit = string.format("%.0f %.0f %.0f", base, max, window)
  if not head then redis.call("LPUSH", key, limit)
  elseif limit ~= head then redis.call("LSET", key, 0, limit) end
  local granted = math.max(0, math.min(requests, max - (counted - base)))
  if granted > 0 then
    counted = counted + granted
    local added = string.format("%.0f:%.0f", now, counted)
    local is_same_step = oldest and math.floor(last / step) == math.floor(now / step)
    if is_same_step then redis.call("LSET", key, -1, added) else redis.call("RPUSH", key, added) end
    redis.call("PEXPIRE", key, window)
  end
  return granted, counted - base, (oldest or now) + window
end

local now = moment(ARGV[1])
local answer = {now}
for index, key in ipairs(KEYS) do
  local at = index * 4 - 2
  local granted, used, reset = count(key, now, tonumber(ARGV[at]), tonumber(ARGV[at + 1]), tonumber(ARGV[at + 2]), tonumber(ARGV[at + 3]))
  answer[#answer + 1] = granted
  answer[#answer + 1] = used
  answer[#answer + 1] = reset
end
return answer`;

/**
 * Reads a counter. KEYS: the counter. ARGV: the moment or "". Returns requests in the window, max requests, window, and
 * the moment at which the oldest entry leaves it. Returns nil if the window is empty or the value is not a counter.
 */
const showScript = `${sharedFunctions}
local now = moment(ARGV[1])
local entries = redis.pcall("LRANGE", KEYS[1], 0, -1)
if entries.err or #entries == 0 then return nil end
local base, max, window = string.match(entries[1], "^(%d+) (%d+) (%d+)$")
if not base then return nil end
local counted, oldest = tonumber(base), nil
for index = 2, #entries do
  local at, until_then = parsed(entries[index])
  if at <= now - window then base = until_then elseif not oldest then oldest = math.min(at, now) end
  counted = until_then
end
if not oldest then return nil end
return {counted - base, tonumber(max), tonumber(window), oldest + window}`;

/** Prefix of each key in Redis; administrators do not see it. */
const prefix = "kirak:rl:";

/** Most entries per counter: a larger limit uses steps of a thousandth of its window. */
const mostEntries = 1000;

/** Keys per step of a scan. */
const keysPerScan = 1000;
/** Counters per call. */
const countersPerCall = 100;

declare module "ioredis" {
  interface RedisCommander<Context> {
    /** `countScript`: the number of keys, the keys, the moment, and four values for each key. */
    countRequests(keys: number, ...keysAndValues: (string | number)[]): Result<unknown, Context>;
    showCounter(key: string, moment: number | ""): Result<unknown, Context>;
  }
}

/** Sliding window counters in Redis. */
export class RedisWindow implements CounterStore {
  readonly #redis: Redis;
  readonly #now: (() => number) | null;

  /** `now` returns milliseconds; default Redis's clock. */
  constructor(redis: Redis, now: (() => number) | null = null) {
    redis.defineCommand("countRequests", { lua: countScript });
    redis.defineCommand("showCounter", { lua: showScript, numberOfKeys: 1 });
    this.#redis = redis;
    this.#now = now;
  }

  async count(hits: readonly Hit[]): Promise<readonly Count[]> {
    const keys: string[] = [];
    const values: (string | number)[] = [this.#moment()];
    for (const { key, requests, limit } of hits) {
      const windowMs = limit.windowSeconds * 1000;
      const stepMs = limit.maxRequests <= mostEntries ? 1 : Math.ceil(windowMs / mostEntries);
      keys.push(prefix + key);
      values.push(requests, limit.maxRequests, windowMs, stepMs);
    }
    const answer = await this.#redis.countRequests(keys.length, ...keys, ...values).catch(throwPlain);
    const numbers = numbersIn(answer);
    const now = requireNumber(numbers[0]);
    return hits.map((_, index) => {
      const [granted, used, resetAt] = numbers.slice(index * 3 + 1, index * 3 + 4);
      return {
        granted: requireNumber(granted),
        used: requireNumber(used),
        resetAt: requireNumber(resetAt),
        now,
      };
    });
  }

  async list(begin: string, limit: number): Promise<readonly Counter[]> {
    const counters: Counter[] = [];
    const seen = new Set<string>();
    let cursor = "0";
    do {
      const pattern = `${prefix}${escapePattern(begin)}*`;
      const [next, found] = await orUnavailable(
        this.#redis.scan(cursor, "MATCH", pattern, "COUNT", keysPerScan),
      );
      cursor = next;
      const keys = found.filter((key) => !seen.has(key));
      for (const key of keys) seen.add(key);
      for (let at = 0; at < keys.length && counters.length < limit; at += countersPerCall)
        counters.push(...(await this.#showAll(keys.slice(at, at + countersPerCall))));
    } while (cursor !== "0" && counters.length < limit);
    return counters.slice(0, limit).sort((a, b) => (a.key < b.key ? -1 : 1));
  }

  find(key: string): Promise<Counter | null> {
    return this.#show(prefix + key);
  }

  async reset(key: string): Promise<boolean> {
    return (await orUnavailable(this.#redis.del(prefix + key))) > 0;
  }

  async #showAll(keys: readonly string[]): Promise<Counter[]> {
    const counters = await Promise.all(keys.map((key) => this.#show(key)));
    return counters.filter((counter) => counter !== null);
  }

  async #show(key: string): Promise<Counter | null> {
    const answer = await orUnavailable(this.#redis.showCounter(key, this.#moment()));
    if (answer === null) return null;
    const [used, maxRequests, windowMs, resetAt] = numbersIn(answer);
    return {
      key: key.slice(prefix.length),
      count: requireNumber(used),
      maxRequests: requireNumber(maxRequests),
      windowSeconds: requireNumber(windowMs) / 1000,
      resetAt: requireNumber(resetAt),
    };
  }

  #moment(): number | "" {
    return this.#now === null ? "" : this.#now();
  }
}

/** Keys contain client addresses, which must not reach the log. */
function throwPlain(error: unknown): never {
  throw plainError(error);
}

/** Awaits Redis for a request of an administrator. Errors: 503 `HTTP_ERROR`. */
async function orUnavailable<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    const options = { status: 503, cause: plainError(error) };
    throw new ServiceError("HTTP_ERROR", "The counters cannot be reached right now.", undefined, options);
  }
}

/** Escapes a string for a Redis pattern. */
function escapePattern(text: string): string {
  return text.replace(/[\\*?[\]^-]/g, "\\$&");
}

function numbersIn(answer: unknown): number[] {
  if (Array.isArray(answer) && answer.every((value) => typeof value === "number")) return answer;
  throw new Error("a rate limit script of Redis returned values that are not numbers");
}

function requireNumber(value: number | undefined): number {
  if (value === undefined) throw new Error("a rate limit script of Redis returned too few numbers");
  return value;
}
