import { callerAccountFacts } from "./caller-account.ts";
import { credentialFacts } from "./credentials.ts";
import type { AccountRow, FactsOf } from "./facts.ts";
import { linkFacts } from "./links.ts";
import { signInFacts } from "./sign-in.ts";

export {
  type AccountCaller,
  type AccountFacts,
  type AccountRow,
  type FactsOf,
  idParameter,
  recentCaller,
  type SocialRow,
} from "./facts.ts";

/** What the document says of each account route that every service has. */
export const accountFacts: FactsOf<AccountRow> = {
  ...signInFacts,
  ...callerAccountFacts,
  ...credentialFacts,
  ...linkFacts,
};
