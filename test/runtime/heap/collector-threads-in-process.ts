import { collectAlone } from "#runtime/heap/index";
import { keepLiving, youngMegabytes } from "./heap-sizes.ts";

/** Prints how large V8's young generation is where much was kept alive while one thread collects it. */
collectAlone(1);
keepLiving();
process.stdout.write(JSON.stringify({ young: youngMegabytes() }));
