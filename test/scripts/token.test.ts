import { spawnSync } from "node:child_process";
import { join } from "node:path";
import jsonwebtoken from "jsonwebtoken";
import { expect, test } from "vitest";
import { repository } from "../generator/support/project.ts";
import { jwtSecret } from "../support/service-token.ts";

const source = join(repository, "scripts/run/source.js");

/** `npm run token`, as a process of its own. */
function token(...args: readonly string[]) {
  const env = { PATH: process.env["PATH"], SERVICE_AUTH_JWT_SECRET_KEY: jwtSecret };
  const { status, stdout, stderr } = spawnSync(process.execPath, [source, "scripts/token.ts", ...args], {
    cwd: repository,
    encoding: "utf8",
    env,
  });
  return { status, stdout: stdout.trim(), stderr };
}

test("prints a token of any role that a credential can have", () => {
  for (const role of ["staff", "guest"]) {
    const { status, stdout } = token("--role", role, "--user", "7");
    expect(status).toBe(0);
    expect(jsonwebtoken.verify(stdout, jwtSecret)).toMatchObject({ role, sub: "7", type: "access" });
  }
});

test.each(["signed_in", "*"])("refuses the role %s, which rules call many by", (role) => {
  const { status, stdout, stderr } = token("--role", role);
  expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
  expect(stderr).toContain(
    `"${role}" stands for the roles of many in access rules, and no token has it as its role`,
  );
});
