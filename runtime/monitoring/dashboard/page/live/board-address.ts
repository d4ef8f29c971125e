/** What of the dashboard its address holds, behind the `#`: what is looked at, and never the key. */
export function readAddress(): URLSearchParams {
  return new URLSearchParams(location.hash.slice(1));
}

/** Puts a value into the address. An empty one is left out. */
export function noteInAddress(name: string, value: string): void {
  const state = readAddress();
  if (value === "") state.delete(name);
  else state.set(name, value);
  history.replaceState(null, "", state.size === 0 ? location.pathname + location.search : `#${state}`);
}
