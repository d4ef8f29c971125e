export { type Cache, connectCache, type Redis } from "./redis.ts";
export { Script } from "./script.ts";
