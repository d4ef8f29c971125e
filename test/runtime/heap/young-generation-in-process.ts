import { holdYoungGeneration, releaseYoungGeneration } from "#runtime/heap/index";
import { keepLiving, youngMegabytes } from "./heap-sizes.ts";

/** Prints how large V8's young generation is at the start, after much was loaded while it was held, and after it was released. */
const first = youngMegabytes();
holdYoungGeneration();
keepLiving();
const held = youngMegabytes();
releaseYoungGeneration();
keepLiving();
process.stdout.write(JSON.stringify({ first, held, released: youngMegabytes() }));
