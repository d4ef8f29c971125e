export { plainError } from "./plain-error.ts";
export { type Cache, connectCache, type Redis } from "./redis.ts";
export { Script } from "./script.ts";
