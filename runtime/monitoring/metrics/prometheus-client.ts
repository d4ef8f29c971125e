/** prom-client, which nobody needs where the module is off. */
export type Client = typeof import("prom-client");

export async function loadClient(): Promise<Client> {
  return import("prom-client");
}
