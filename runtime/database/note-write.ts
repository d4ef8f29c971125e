import type { Transaction } from "./queryable.ts";

/** Counts what code has written among what it has asked for, so that whoever takes back a part of the transaction knows of it. */
export function noteWrite(transaction: Transaction | null): void {
  transaction?.afterCommit(() => {});
}
