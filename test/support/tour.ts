import type { InitExample } from "#cli/init/init-examples";
import { projectView } from "#cli/init/project-files";
import type { TestReply, TestService } from "#runtime/testing/index";
import { curlRequest } from "./curl.ts";

/** The curl commands of the README that an app of an example gets, in order. */
export function tourCommands(example: InitExample): string[] {
  const { tour } = projectView("my-app", example);
  return [...tour.matchAll(/^curl (?:.*\\\n)*.*/gm)].map(([command]) => command);
}

/** Sends what a command of a tour sends, with a token in place of `$TOKEN`. */
export function sendCurl(app: TestService, command: string, token: string): Promise<TestReply<unknown>> {
  const { method, path, headers, body } = curlRequest(command.replaceAll("$TOKEN", token));
  return app.request(path, {
    method: method ?? "GET",
    headers: Object.fromEntries(Object.entries(headers ?? {}).map(([name, value]) => [name, String(value)])),
    body,
  });
}
