/** Refuses requests of the app's code to other hosts, until `restore`. Requests to the service under test pass. */
export function refuseOutgoing(origin: string): { restore(): void } {
  const { fetch } = globalThis;
  globalThis.fetch = (input, init) => {
    const url = typeof input === "string" ? input : input instanceof URL ? input.href : input.url;
    if (url.startsWith(`${origin}/`)) return fetch(input, init);
    return Promise.resolve(new Response(null, { status: 503, statusText: "Refused by kirak check-access" }));
  };
  return {
    restore() {
      globalThis.fetch = fetch;
    },
  };
}
