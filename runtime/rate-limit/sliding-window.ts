/**
 * A counter is a list. At its head stands `<counted before> <max requests> <window>`, then `<moment>:<counted until then>` for
 * each moment at which requests were let through, the oldest first. So what is in the window is a difference of two numbers.
 * Moments and windows are milliseconds, by the clock of the Redis server.
 */
const reading = `
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
 * Counts requests. KEYS: counters. ARGV: the moment or nothing, then for each key: requests, max requests, window, step.
 * Requests of one step share an entry, which leaves the window with the last of them. Answers the moment, and for each
 * key: how many are granted, how many are in the window then, when the oldest of them leaves. A call makes few commands
 * for each key, however much leaves its window at once: Redis does nothing else meanwhile.
 */
export const countScript = `${reading}
local function entry(key, index) return parsed(redis.call("LINDEX", key, index)) end

-- Index of the first entry that is later. Near the oldest one it takes two or three looks.
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

-- The counter's head. What is no counter goes: with an error all others of the call would not be counted either.
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
    -- The clock was set back: what it had later than now is as old as now, and stays for one window.
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
    -- The last one that has left makes room for the head.
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
 * Looks at a counter. KEYS: the counter. ARGV: the moment or nothing. Answers how many requests are in the window, max
 * requests, window, when the oldest leaves; nothing where none is in it.
 */
export const showScript = `${reading}
local now = moment(ARGV[1])
local entries = redis.call("LRANGE", KEYS[1], 0, -1)
if #entries == 0 then return nil end
local base, max, window = string.match(entries[1], "^(%d+) (%d+) (%d+)$")
local counted, oldest = tonumber(base), nil
for index = 2, #entries do
  local at, until_then = parsed(entries[index])
  if at <= now - window then base = until_then elseif not oldest then oldest = math.min(at, now) end
  counted = until_then
end
if not oldest then return nil end
return {counted - base, tonumber(max), tonumber(window), oldest + window}`;
