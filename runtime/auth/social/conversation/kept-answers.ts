import type { UserPaths } from "../../../../vocabulary/social/provider.ts";
import { member } from "../outbound/index.ts";
import type { Answers } from "./paths.ts";

/**
 * What is kept of a sign-in: what the provider said. Of what the browser brought only what says who somebody is; codes and
 * states are used up, and a state holds the device's token, which is stored nowhere (decisions, part 9).
 */
export function keptAnswers(user: UserPaths, { form, ...said }: Answers): Answers {
  const names = [...JSON.stringify(user).matchAll(/form:(\w+)/g)].flatMap(([, name = ""]) => name);
  if (names.length === 0) return said;
  return { ...said, form: Object.fromEntries(names.map((name) => [name, member(form, name)])) };
}
