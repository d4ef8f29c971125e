import type { Sent } from "./request.ts";

/** Each curl command of a page of the docs that is followed by its answer. */
export function curlExamples(docs: string): { readonly command: string; readonly answer: string }[] {
  const pairs = docs.matchAll(/```sh\n(?:[^`]+\n)?(curl [^`]+)```\n\n```json\n([^`]+)```/g);
  return [...pairs].map(([, command = "", answer = ""]) => ({ command, answer }));
}

/** The request that a curl command of the docs sends to `localhost:3000`. */
export function curlRequest(command: string): Sent {
  const line = command.replaceAll("\\\n", " ");
  const path = /http:\/\/localhost:3000([^'\s]*)/.exec(line)?.[1] ?? "";
  const [, quote, text] = / -d (['"])(.*)\1\s*$/.exec(line) ?? [];
  const body = quote === '"' ? text?.replaceAll('\\"', '"') : text;
  const headers = [...line.matchAll(/ -H (['"])([\w-]+): (.*?)\1/g)].map(([, , name, value]) => [
    name,
    value,
  ]);
  const method = /-X (\w+)/.exec(line)?.[1] ?? (body === undefined ? "GET" : "POST");
  return { method, path, headers: Object.fromEntries(headers), body };
}
