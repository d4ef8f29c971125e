/** The address of a page with a parameter: behind the query that is there, before the fragment (decisions, part 7). */
export function withParameter(page: string, name: string, value: string): string {
  const hash = page.indexOf("#");
  const address = hash === -1 ? page : page.slice(0, hash);
  const fragment = hash === -1 ? "" : page.slice(hash);
  const separator = !address.includes("?") ? "?" : /[?&]$/.test(address) ? "" : "&";
  return `${address}${separator}${name}=${value}${fragment}`;
}
