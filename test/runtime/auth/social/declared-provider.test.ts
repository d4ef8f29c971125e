import { describe, expect, test } from "vitest";
import { Provider } from "#runtime/auth/social/declared-provider";
import { socialProviders } from "#vocabulary/social/providers";
import { socialSettings } from "../../../support/social/sign-in.ts";

function declared(name: string, settings: Readonly<Record<string, unknown>> = {}): Provider {
  const [one] = socialSettings({ [name]: { settings } }).providers;
  const row = socialProviders.get(name);
  if (one === undefined || row === undefined) throw new Error(`${name} is not there`);
  return new Provider(one, row);
}

describe("what stands for a name in a template", () => {
  const form = { domain_prefix: "acme", access_url: "https://evil.example.net", client_id: "mine" };

  test("comes from the browser only where the row asks for it by that name", () => {
    const find = declared("vend").lookup({ form });
    expect(["domain_prefix", "access_url", "client_id"].map(find)).toEqual(["acme", null, "id-of-vend"]);
    expect(declared("surveymonkey").lookup({ form })("domain_prefix")).toBeNull();
  });

  test("is nothing else where the conversation knows that there is none", () => {
    const more = { domain_prefix: null, client_id: null };
    const find = declared("vend").lookup({ form }, more);
    expect(["domain_prefix", "client_id"].map(find)).toEqual([null, null]);
  });

  test("is a setting, its default, what its choice stands for, a secret or a place in an answer", () => {
    expect(declared("gitlab").lookup()("api_url")).toBe("https://gitlab.com");
    expect(declared("gitlab", { api_url: "https://a.example" }).lookup()("api_url")).toBe(
      "https://a.example",
    );
    expect(declared("egi-checkin", { checkin_env: "demo" }).lookup()("checkin_env")).toBe("aai-demo.egi.eu");
    expect(declared("github").lookup()("client_secret")).toBe("secret-of-github");
    expect(declared("github").lookup({ token: { uid: "7" } })("token:uid")).toBe("7");
  });
});
