import type { CodeModules } from "./code-context.ts";

/** What code finds of modules that are off, and where a service was put together without some: all but `monitoring` refuses, and says why. */
export const absentModules: CodeModules = {
  storage: () => ({ put: refuseStorage, url: refuseStorage, remove: refuseStorage }),
  // Code that records runs and calls works with it and without.
  monitoring: () => ({ aiRun() {}, mcpCall() {} }),
  errors: {},
  jobs: () => ({ enqueue: () => absent("context.jobs"), cancel: () => absent("context.jobs") }),
  database: () => ({
    get db(): never {
      throw absence("context.db");
    },
    get sql(): never {
      throw absence("context.sql");
    },
  }),
  mail: () => ({ send: () => absent("context.mail") }),
  sms: () => ({ send: () => absent("context.sms") }),
};

/** What it takes to switch it on is for the log. */
async function refuseStorage(): Promise<never> {
  throw new Error(
    'storage is off: set "modules": ["storage"] in models/manifest.json, with a section "storage" (docs/storage.md)',
  );
}

async function absent(name: string): Promise<never> {
  throw absence(name);
}

function absence(name: string): Error {
  return new Error(`${name} is not there: this service was put together without it`);
}
