export { type Cache, connectCache, type Redis } from "./redis.ts";
