import type { AnyTypes } from "../model/index.ts";

/**
 * What an app has: its `generated/app.ts` adds to it, so that what is imported from `kirak` knows the app's models without being told.
 * Where nothing is added, each name below stands for any.
 */
// biome-ignore lint/suspicious/noEmptyInterface: apps add to it
export interface Register {}

type Registered<Key extends string, Fallback> = Register extends { readonly [Name in Key]: infer Value }
  ? Value
  : Fallback;

/** The types of the app's models by key, internal ones and `users` among them. */
export type Models = Registered<"models", Readonly<Record<string, AnyTypes>>>;
