import type { Logger } from "pino";

/** The log message of a failed call of a context that the app code did not await. */
export const unawaited = "a call failed, and the app code did not await it";

/**
 * The log of a call, by its error, if another library makes the promise that the app code gets. A process of
 * Kirak does not end because of such an error.
 */
export const failureLogs = new WeakMap<object, Logger>();
