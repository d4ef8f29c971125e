import { withParameter } from "../../links/page-address.ts";
import type { Provider } from "../declared-provider.ts";

/** Where people come back to from a provider that knows no states: the state stands in the address. */
export function returnAddress({ callbackUrl }: Pick<Provider, "callbackUrl">, state: string): string {
  return withParameter(callbackUrl, "state", state);
}
