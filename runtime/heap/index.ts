export { collectAlone } from "./collector-threads.ts";
export { holdYoungGeneration, releaseYoungGeneration } from "./young-generation.ts";
