/**
 * What an app has: its `generated/app.ts` adds to it, so that what is imported from `kirak` knows the app's models, errors and so on
 * without being told.
 */
// biome-ignore lint/suspicious/noEmptyInterface: apps add to it
export interface Register {}

/** What the app adds under a key, else the fallback. */
export type Registered<Key extends string, Fallback> = Register extends {
  readonly [Name in Key]: infer Value;
}
  ? Value
  : Fallback;
