import { promises as disk } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { onTestFinished } from "vitest";

/** Puts other functions in the place of those of `node:fs/promises`, in all modules, until the test is over. */
export function replaceOnDisk(functions: Partial<typeof disk>): void {
  const before = { ...disk };
  Object.assign(disk, functions);
  syncBuiltinESMExports();
  onTestFinished(() => {
    Object.assign(disk, before);
    syncBuiltinESMExports();
  });
}

/** What the system rejects a call with. */
export function systemError(code: string): Error {
  return Object.assign(new Error(`${code}: refused by the test`), { code });
}

/** A disk on which no file has a second name. */
export function withoutHardLinks(code = "EPERM"): void {
  replaceOnDisk({ link: () => Promise.reject(systemError(code)) });
}
