import type { Rows } from "../../../test/support/any-service.ts";

const user = (sub: number, name: string) => ({
  role: "user",
  sub: String(sub),
  email: `${name}@example.com`,
});

/** Two organisations, Acme and Bolt, and who calls. */
export const people = {
  ada: user(1, "ada"),
  adam: user(2, "adam"),
  mia: user(3, "mia"),
  leo: user(4, "leo"),
  /** Was a member of Acme. */
  gus: user(5, "gus"),
  bob: user(6, "bob"),
  ben: user(7, "ben"),
  /** Belongs to nothing; Acme has invited her. */
  nia: user(8, "nia"),
  admin: { role: "admin", sub: "9", email: "admin@example.com" },
  guest: null,
} as const;

export type Person = keyof typeof people;

const [acme, bolt] = [1, 2];
/** Test files share this module, so a whole run can be older than the 15 minutes in which an author can write. */
const now = new Date(Date.now() + 7_200_000).toISOString();
const anHourAgo = new Date(Date.now() - 3_600_000).toISOString();
const tomorrow = new Date(Date.now() + 86_400_000).toISOString();

const member = (id: number, organisation_id: number, user_id: number, role: string, deleted = false) => ({
  id,
  organisation_id,
  user_id,
  role,
  deleted_at: deleted ? now : null,
});

const task = (id: number, project_id: number, more: object = {}) => ({
  id,
  project_id,
  title: `Task ${id}`,
  status: "todo",
  reporter_id: 3,
  created_at: anHourAgo,
  ...more,
});

/** Projects 1 (open), 2 (private, led by Leo), 3 (archived) of Acme and 4 of Bolt, with their tasks. */
// biome-ignore format: several rows a line
export const rows: Rows = {
  users: Object.values(people).flatMap((each) =>
    each === null
      ? []
      : [{ id: Number(each.sub), email: each.email, role: each.role, first_name: each.email }]),
  organisations: [{ id: acme, name: "Acme" }, { id: bolt, name: "Bolt" }],
  memberships: [member(1, acme, 1, "owner"), member(2, acme, 2, "admin"), member(3, acme, 3, "member"), member(4, acme, 4, "member"),
    member(5, acme, 5, "member", true), member(6, bolt, 6, "owner"), member(7, bolt, 7, "member")],
  invitations: [{ id: 1, organisation_id: acme, email: "nia@example.com", role: "member", expires_at: tomorrow },
    { id: 2, organisation_id: bolt, email: "nia@example.com", role: "member", expires_at: anHourAgo }],
  projects: [{ id: 1, organisation_id: acme, name: "Open" }, { id: 2, organisation_id: acme, name: "Secret", visibility: "private", lead_id: 4 },
    { id: 3, organisation_id: acme, name: "Old", archived: true }, { id: 4, organisation_id: bolt, name: "Bolted" }],
  tasks: [task(1, 1, { assignee_id: 4, estimate_hours: 5, reference: "A-1", tags: "{urgent,web}" }), task(2, 1, { created_at: now, reporter_id: 3 }),
    task(3, 2, { assignee_id: 4, estimate_hours: 8 }), task(4, 3, { status: "doing" }),
    task(5, 4, { reporter_id: 7, assignee_id: 7, estimate_hours: 100, reference: "A-1", tags: "{urgent}" }),
    task(6, 1, { status: "done", assignee_id: 4 })],
  comments: [{ id: 1, task_id: 1, author_id: 3, body: "Soon", created_at: now }, { id: 2, task_id: 3, author_id: 4, body: "Secret", created_at: now },
    { id: 3, task_id: 5, author_id: 7, body: "Bolted", created_at: anHourAgo }],
};
