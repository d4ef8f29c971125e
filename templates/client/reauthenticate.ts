import { callOf, dataOf } from "./request.ts";
import type { Call, ClientOptions } from "./types.ts";

/**
 * Gives a client the method that signs in again: the new session replaces the one before, and ends it. A token of the app is not
 * replaced, so its session goes on.
 */
export function withReauthentication(client: object, { token }: ClientOptions): object {
  const { auth } = client as {
    auth: {
      login(...given: unknown[]): Promise<unknown>;
      sessions: {
        list(): Call<{ sessions: { id: string; current: boolean }[] }, never>;
        end(input: { id: string }): Call<unknown, never>;
      };
      reauthenticate: unknown;
    };
  };
  const begin = async (given: unknown[]) => {
    const before = token === undefined ? await auth.sessions.list().result() : null;
    const data = await auth.login(...given);
    for (const { id, current } of before?.data?.sessions ?? [])
      if (current) await auth.sessions.end({ id }).result();
    return { data };
  };
  auth.reauthenticate = (...given: unknown[]) => callOf(begin(given), dataOf);
  return client;
}
