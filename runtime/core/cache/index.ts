export { type Cache, connectCache, plainError, type Redis, type Result } from "./redis.ts";
