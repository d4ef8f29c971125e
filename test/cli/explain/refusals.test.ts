import { beforeAll, describe, expect, it } from "vitest";
import type { ExplainRequest } from "#cli/explain/explanation";
import { isJsonObject } from "#vocabulary/json";
import { operationMethods } from "#vocabulary/operations";
import { type Person, people } from "../../../examples/tracker/test/tracker-rows.ts";
import { asPerson, type ExplainedTracker, explainedTracker } from "./tracker.ts";

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
  ["ada", "tasks.create", { data: '{"project_id":1,"title":""}' }, "", "refused: 400 VALIDATION_ERROR, title must not be empty"],
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
    expect(await outcome(person, subject, flags)).toBe(
      answer.split(/[ :,]/)[0] === "not" ? "not found" : answer.slice(9, 12),
    );
  });

  /** The status of the service, or "not found" for an empty list. */
  async function outcome(person: Person, subject: string, { id, data }: Case[2]): Promise<string> {
    const [model = "", operation = ""] = subject.split(".");
    const method = Object.entries(operationMethods).find(([name]) => name === operation)?.[1] ?? "GET";
    const body = { ...(id != null && { where: { id } }), ...(data != null && { data: JSON.parse(data) }) };
    const path = `/${model}/${operation}`;
    const sent = method === "GET" ? { method, path: `${path}?id=${id}` } : { method, path, body };
    const { status, envelope } = await tracker.service.send(sent, people[person]);
    if (status === 404) return "not found";
    const { data: found } = isJsonObject(envelope) ? envelope : { data: null };
    return status === 200 && Array.isArray(found) && found.length === 0 ? "not found" : String(status);
  }
});
