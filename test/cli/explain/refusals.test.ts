import { execFileSync } from "node:child_process";
import { beforeAll, describe, expect, it } from "vitest";
import { command } from "#cli/commands/explain";
import type { ExplainRequest } from "#cli/explain/explanation";
import { explainCommand } from "#runtime/api/rest/explained-refusal";
import type { Service } from "#runtime/index";
import { isJsonObject } from "#vocabulary/json";
import { operationMethods } from "#vocabulary/operations";
import { type Person, people } from "../../../examples/tracker/test/tracker-rows.ts";
import { anyService } from "../../support/any-service.ts";
import type { Reply } from "../../support/request.ts";
import { asked } from "../support/asked.ts";
import { asPerson, type ExplainedTracker, explainedTracker, trackerFile } from "./tracker.ts";

type Case = readonly [
  Person,
  string,
  Partial<Pick<ExplainRequest, "id" | "data" | "where">>,
  reason: string,
  answer: string,
];

const denied = "refused: 403 PERMISSION_DENIED";
const noRule = `${denied}, no rule holds`;
const unreached = "not found: no rule holds for the row";

// biome-ignore format: one case a line
const cases: readonly Case[] = [
  ["guest", "tasks.fetch", { id: "1" }, "", `${denied}, no rule for a guest: the rules are for signed_in`],
  ["ada", "organisations.upsert", { data: '{"name":"A"}' }, "", `${denied}, no rule for user 1 (role user): it is denied to all`],
  ["ada", "tasks.destroy", { id: "1" }, "", `${denied}, no rule for user 1 (role user): it is denied to all`],
  ["ada", "organisations.update", { id: "1", data: '{"plan":"team"}' }, "", `${denied}, Your role may not write the field plan.`],
  ["ada", "tasks.create", { data: '{"project_id":1,"title":"T","reporter_id":3}' }, "", `${denied}, Your role may not write the field reporter_id.`],
  ["gus", "tasks.fetch", { id: "1" }, "row 1: user_id = {user_id} false user_id is 1, {user_id} is 5", unreached],
  ["bob", "tasks.fetch", { id: "1" }, "0 of 4 rows matched", unreached],
  ["mia", "tasks.fetch", { id: "3" }, "row 3: this.project.visibility = 'organisation' false this.project.visibility is 'private'", unreached],
  ["mia", "projects.fetch", { id: "2" }, "user_id = this.lead_id false user_id is 3, this.lead_id is 4", unreached],
  ["nia", "organisations.fetch", { id: "1" }, "member() false", unreached],
  ["nia", "memberships.fetch", { id: "1" }, "member(organisation) false", unreached],
  ["mia", "memberships.fetch", { id: "5" }, "member(organisation) true", "not found: the row is soft-deleted"],
  ["ada", "tasks.fetch", { id: "99" }, "", "not found: there is no such row"],
  ["leo", "tasks.update", { id: "6", data: '{"title":"T"}' }, "status <> 'done' false status is 'done'", `${noRule} before the change`],
  ["leo", "tasks.update", { id: "1", data: '{"status":"done"}' }, "status <> 'done' false status is 'done'", `${noRule} after the change`],
  ["ada", "tasks.update", { id: "4", data: '{"title":"T"}' }, "project.archived = false false project.archived is true", `${noRule} before the change`],
  ["ada", "tasks.update", { id: "1", data: '{"project_id":3}' }, "project.archived = false false project.archived is true", `${noRule} after the change`],
  ["ada", "tasks.update", { id: "1", data: '{"assignee_id":6}' }, "row 1: user_id = this.assignee_id false user_id is 1, this.assignee_id is 6", `${noRule} after the change`],
  ["ada", "tasks.update", { id: "5", data: '{"title":"T"}' }, "manager(project.organisation) false", `${noRule} before the change`],
  ["mia", "organisations.update", { id: "1", data: '{"name":"A"}' }, "row 3: role IN ('owner', 'admin') false role is 'member'", `${noRule} before the change`],
  ["adam", "organisations.delete", { id: "1" }, "row 2: role = 'owner' false role is 'admin'", noRule],
  ["ada", "memberships.update", { id: "1", data: '{"role":"member"}' }, "user_id <> {user_id} false user_id is 1, {user_id} is 1", `${noRule} before the change`],
  ["ada", "memberships.delete", { id: "1" }, "row 1: user_id <> {user_id} false user_id is 1, {user_id} is 1", noRule],
  ["adam", "memberships.create", { data: '{"organisation_id":1,"user_id":6,"role":"admin"}' }, "this.role = 'member' false this.role is 'admin'", noRule],
  ["nia", "memberships.create", { data: '{"organisation_id":2,"user_id":8}' }, "row 2: expires_at > now() false", noRule],
  ["nia", "memberships.create", { data: '{"organisation_id":1,"user_id":8,"role":"owner"}' }, "row 1: role = this.role false role is 'member', this.role is 'owner'", noRule],
  ["mia", "tasks.create", { data: '{"project_id":3,"title":"T"}' }, "project.archived = false false project.archived is true", noRule],
  ["mia", "tasks.create", { data: '{"project_id":77,"title":"T"}' }, "project.archived = false unknown project.archived is NULL", noRule],
  ["bob", "comments.create", { data: '{"task_id":1,"body":"B"}' }, "reader(task.project) false", noRule],
  ["mia", "tasks.delete", { id: "1" }, "EXISTS (comments) true 1 of 1 row matched", noRule],
  ["ada", "projects.delete", { id: "1" }, "EXISTS (tasks WHERE status <> 'done') true 2 of 3 rows matched", noRule],
  ["ben", "comments.update", { id: "3", data: '{"body":"B"}' }, "created_at > now() - interval '15 minutes' false", `${noRule} before the change`],
  ["mia", "tasks.restore", { id: "1", data: '{"title":"T"}' }, "", "not found: the row is not soft-deleted"],
  ["bob", "tasks.upsert", { data: '{"project_id":1,"reference":"A-1","title":"T"}' }, "manager(project.organisation) false", `${noRule} before the change`],
  ["bob", "tasks.upsert", { data: '{"project_id":1,"reference":"A-2","title":"T"}' }, "reader(project) false", noRule],
  ["ada", "tasks.create", { data: '{"project_id":1,"title":""}' }, "", "refused: 400 VALIDATION_ERROR, title: must not be empty"],
  ["ada", "tasks.create", { data: '{"project_id":1}' }, "", "refused: 400 VALIDATION_ERROR, title: is required"],
  ["ada", "tasks.create", { data: '{"project_id":1,"title":7}' }, "", "refused: 400 VALIDATION_ERROR, title: must be string"],
  ["ada", "tasks.create", { data: '{"project_id":1,"title":"T","reference":"A-1"}' }, "reader(project) true", "refused: 400 VALIDATION_ERROR, project_id: together with reference conflicts with an existing record"],
  ["ada", "tasks.update", { id: "2", data: '{"reference":"A-1"}' }, "manager(project.organisation) true", "refused: 400 VALIDATION_ERROR, project_id: together with reference conflicts with an existing record"],
  ["ada", "tasks.upsert", { data: '{"id":99,"title":"T"}' }, "", "refused: 400 VALIDATION_ERROR, project_id: is required"],
  ["ada", "memberships.create", { data: '{"organisation_id":1,"user_id":77}' }, "", "refused: 400 VALIDATION_ERROR, user_id: refers to a record that does not exist"],
];

describe("each refusal has its reason, and the service refuses too", () => {
  let tracker: ExplainedTracker;

  beforeAll(async () => {
    tracker = await explainedTracker();
  });

  it.each(cases)("%s: %s %j", async (person, subject, flags, reason, answer) => {
    const request = { subject, as: asPerson(person), ...flags };
    const printed = (await tracker.printed(request)).replaceAll(/ +/g, " ");
    expect(printed.trimEnd().split("\n").at(-1)).toBe(answer);
    expect(printed).toContain(reason);
    const { status, envelope } = await sent(person, subject, flags);
    const isEmpty = status === 200 && Array.isArray(envelope.data) && envelope.data.length === 0;
    const outcome = status === 404 || isEmpty ? "not found" : `refused: ${status}`;
    expect(answer.startsWith(outcome), `${status}`).toBe(true);
    if (status !== 403) return;
    const { input } = await asked(command, wordsOf(String(envelope.details?.["explain"])));
    expect(input).toMatchObject({ subject, as: request.as });
    if (isRequest(input)) expect((await tracker.asked(input)).answer.text).toBe(answer);
  });

  function sent(person: Person, subject: string, { id, data }: Case[2]): Promise<Reply> {
    const [model = "", operation = ""] = subject.split(".");
    const method = Object.entries(operationMethods).find(([name]) => name === operation)?.[1] ?? "GET";
    const body = { ...(id != null && { where: { id } }), ...(data != null && { data: JSON.parse(data) }) };
    const path = `/${model}/${operation}`;
    const request = method === "GET" ? { method, path: `${path}?id=${id}` } : { method, path, body };
    return tracker.service.send(request, people[person]);
  }
});

/** The words after `npx kirak explain`, as a shell splits them. */
function wordsOf(line: string): string[] {
  const words = line.replace(/^npx kirak explain /, "");
  return execFileSync("sh", ["-c", `printf '%s\\0' ${words}`], { encoding: "utf8" })
    .split("\0")
    .slice(0, -1);
}

function isRequest(input: unknown): input is ExplainRequest {
  return isJsonObject(input) && "subject" in input;
}

describe("details.explain", () => {
  it("is quoted, has no passwords, and names rows by id, filter or query", () => {
    const request = {
      model: "notes",
      as: "user:7",
      parameters: new Map<string, string>(),
      passwords: new Set(["code"]),
    };
    const body = { where: { status: "it's" }, data: { title: "$(x)", code: "secret" } };
    expect(explainCommand({ ...request, operation: "update", body })).toBe(
      `npx kirak explain notes.update --as user:7 --where '{"status":"it'\\''s"}' --data '{"title":"$(x)"}'`,
    );
    const ids = { ids: [1, 2] };
    expect(explainCommand({ ...request, as: "guest", operation: "delete", body: ids })).toBe(
      `npx kirak explain notes.delete --as guest --where '{"id__in":[1,2]}'`,
    );
    const parameters = new Map([
      ["where[status]", "open"],
      ["order_by", "code"],
      ["code", "secret"],
      ["where[code__like]", "secret"],
    ]);
    expect(explainCommand({ ...request, operation: "fetch", parameters, body: undefined })).toBe(
      `npx kirak explain notes.fetch --as user:7 --where '{"status":"open"}' --query '{"order_by":"code"}'`,
    );
    const flag = { where: { id: "--json" } };
    expect(explainCommand({ ...request, operation: "delete", body: flag })).toBe(
      "npx kirak explain notes.delete --as user:7 --id=--json",
    );
    const long = { data: { title: "x".repeat(3_000) } };
    expect(explainCommand({ ...request, operation: "create", body: long })).toBe(
      "npx kirak explain notes.create --as user:7",
    );
  });

  it("names the role of a token without an account, or with another role than its account", async () => {
    const tracker = await explainedTracker();
    const refused = async (sub: string, role: string) => {
      const request = { method: "DELETE", path: "/tasks/destroy", body: { where: { id: 1 } } };
      const { envelope } = await tracker.service.send(request, { sub, role, email: "a@example.com" });
      return String(envelope.details?.["explain"]).split(" ").slice(3, 6).join(" ");
    };
    expect(await refused("1", "user")).toBe("tasks.destroy --as user:1");
    expect(await refused("1", "admin")).toBe("tasks.destroy --as admin");
    expect(await refused("77", "user")).toBe("tasks.destroy --as user");
  });

  it("is absent in production, and present without a setting", async () => {
    const { service }: { service: Service } = await import(trackerFile);
    const refusal = async (production: boolean) => {
      const served = await anyService(service, { production }, { explains: null });
      return (await served.send({ method: "GET", path: "/tasks/fetch" })).envelope.details;
    };
    expect(await refusal(true)).toBeUndefined();
    expect(await refusal(false)).toEqual({ explain: "npx kirak explain tasks.fetch --as guest" });
  });
});
