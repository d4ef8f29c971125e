import { describe, expect, test } from "vitest";
import {
  authorizationHeader,
  oauth1Signature,
  signatureBase,
} from "#runtime/modules/auth/social/protocols/oauth1";

describe("the signature of OAuth 1.0a", () => {
  test("has the base string of RFC 5849, 3.4.1.1, for parameters in every position", () => {
    const query = "b5=%3D%253D&a3=a&c%40=&a2=r%20b&c2&a3=2+q";
    const base = signatureBase("POST", new URL(`http://EXAMPLE.COM:80/request?${query}`), {
      oauth_consumer_key: "9djdj82h48djs9d2",
      oauth_token: "kkk9d7dh3k39sjv7",
      oauth_signature_method: "HMAC-SHA1",
      oauth_timestamp: "137131201",
      oauth_nonce: "7d8f3e4a",
    });
    expect(base).toBe(
      "POST&http%3A%2F%2Fexample.com%2Frequest&a2%3Dr%2520b%26a3%3D2%2520q%26a3%3Da%26b5%3D%253D%25253D%26c%2540%3D%26c2%3D%26oauth_consumer_key%3D9djdj82h48djs9d2%26oauth_nonce%3D7d8f3e4a%26oauth_signature_method%3DHMAC-SHA1%26oauth_timestamp%3D137131201%26oauth_token%3Dkkk9d7dh3k39sjv7",
    );
  });

  const app = { key: "dpf43f3p2l4k3l03", secret: "kd94hf93k423kf44" };
  const always = { oauth_consumer_key: app.key, oauth_signature_method: "HMAC-SHA1" };
  // biome-ignore format: one case a line
  test.each([
    ["74KNZJeDHnMBp0EMJ9ZHt/XKycU=", "POST", "https://photos.example.net/initiate",
      { oauth_timestamp: "137131200", oauth_nonce: "wIjqoS", oauth_callback: "http://printer.example.com/ready" }, null],
    ["gKgrFCywp7rO0OXSjdot/IHF7IU=", "POST", "https://photos.example.net/token",
      { oauth_timestamp: "137131201", oauth_nonce: "walatlh", oauth_token: "hh5s93j4hdidpola", oauth_verifier: "hfdp7dh39dks9884" },
      { key: "hh5s93j4hdidpola", secret: "hdhd0244k9j7ao03" }],
    ["MdpQcU8iPSUjWoN/UDMsK2sui9I=", "GET", "http://photos.example.net/photos?file=vacation.jpg&size=original",
      { oauth_timestamp: "137131202", oauth_nonce: "chapoH", oauth_token: "nnch734d00sl2jdk" },
      { key: "nnch734d00sl2jdk", secret: "pfkkdhi9sl3r4s00" }],
  ] as const)("is %s for the example of RFC 5849, 1.2", (signature, method, url, parameters, token) => {
    const base = signatureBase(method, new URL(url), { ...always, ...parameters });
    expect(oauth1Signature(base, app, token)).toBe(signature);
  });

  test("encodes characters that browsers do not encode", () => {
    const base = signatureBase("GET", new URL("https://example.com/?a=!*'()~"), { b: "ü &=+" });
    expect(base).toBe(
      "GET&https%3A%2F%2Fexample.com%2F&a%3D%2521%252A%2527%2528%2529~%26b%3D%25C3%25BC%2520%2526%253D%252B",
    );
    expect(authorizationHeader({ oauth_signature: 'a"b,c=' })).toBe('OAuth oauth_signature="a%22b%2Cc%3D"');
  });
});
