export { holdYoungGeneration, releaseYoungGeneration } from "./young-generation.ts";
