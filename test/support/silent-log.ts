import pino from "pino";

/** Log lines of what is tested are not part of the tests' output. */
export const silent = pino({ level: "silent" });
