import jsonwebtoken from "jsonwebtoken";
import { expect, test } from "vitest";
import { jwtSecret } from "../support/service-token.ts";
import { folderWith } from "./support/folder-with.ts";
import { kirak } from "./support/kirak.ts";

const app = folderWith({ "models/manifest.json": {}, "models/hooks/books.ts": "" });
const variables = { SERVICE_AUTH_JWT_SECRET_KEY: jwtSecret };

test.each(["staff", "guest"])(
  "prints a token of the role %s, as of any that a credential can have",
  async (role) => {
    const { status, stdout, stderr } = await kirak(app, ["token", "--role", role, "--user", "7"], variables);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    const claims = Object(jsonwebtoken.verify(stdout.trim(), jwtSecret));
    expect(claims).toMatchObject({ role, sub: "7", email: "", type: "access" });
    expect(claims.exp - claims.iat).toBe(3600);
  },
);

test("refuses in production, and reports mistakes of the configuration", async () => {
  const production = { ...variables, NODE_ENV: "production", SERVICE_DATABASE_URL: "postgres://x/x" };
  const base = { SERVICE_SET_BASE_URL: "https://example.com" };
  expect(await kirak(app, ["token"], { ...production, ...base })).toEqual({
    status: 1,
    stdout: "",
    stderr: "NODE_ENV is production: this command is for development only\n",
  });
  expect(await kirak(app, ["token"], production)).toMatchObject({
    status: 1,
    stderr: expect.stringContaining("base_url"),
  });
});
