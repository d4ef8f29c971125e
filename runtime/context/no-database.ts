import type { DatabaseForCode } from "./code-context.ts";

/** The database for code where whoever put the service together gave it none. */
export const noDatabase: DatabaseForCode = () => ({
  get db(): never {
    throw absent();
  },
  get sql(): never {
    throw absent();
  },
});

function absent(): Error {
  return new Error("context.db and context.sql are not there: this service was put together without them");
}
