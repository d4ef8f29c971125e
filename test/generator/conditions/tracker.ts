const belongsTo = (model: string) => ({ type: "belongs_to", relationship: { model } });
const many = (model: string, foreign_key: string) => ({
  type: "has_many",
  relationship: { model, foreign_key },
});

/** Models of a project tracker, with relations of each kind and fields of most. */
// biome-ignore format: one case a line
export const tracker = {
  users: {
    schema: { team_id: belongsTo("teams"), level: { type: "integer" }, region: { type: "string" },
      credit: { type: "decimal", precision: 6, scale: 2 }, skills: { type: "string[]" }, nick: { type: "string" }, secret: { type: "password" },
      badges: many("badges", "owner_id") },
    access: { fields: { nick: { write: ["user"] }, level: { write: [] }, credit: { write: [] }, skills: { write: [] }, region: { read: ["admin"] } } },
  },
  teams: { schema: { name: { type: "string" }, members: many("users", "team_id") } },
  badges: { schema: { owner_id: belongsTo("users"), name: { type: "string" } } },
  organisations: {
    schema: {
      name: { type: "string" },
      code: { type: "uuid" },
      turnover: { type: "decimal", precision: 20, scale: 2, minimum: 0 },
      serial: { type: "bigint" },
      opens_at: { type: "time" },
      themes: { type: "string[]", max_length: 8 },
      plans: { type: "string[]", enum: ["free", "paid"] },
      reviewer_ids: { type: "integer[]" },
      rates: { type: "decimal[]", precision: 4, scale: 2 },
      seen_at: { type: "datetime[]" },
      codes: { type: "uuid[]" },
      owner_id: belongsTo("users"),
      memberships: many("memberships", "organisation_id"),
      projects: many("projects", "organisation_id"),
      billing: { type: "has_one", relationship: { model: "billings", foreign_key: "organisation_id" } },
    },
  },
  billings: { internal: true, schema: { organisation_id: belongsTo("organisations"), paid_until: { type: "date" }, pin: { type: "password" } } },
  memberships: {
    schema: { organisation_id: belongsTo("organisations"), user_id: belongsTo("users"), role: { type: "string", enum: ["owner", "admin", "member"] },
      left_at: { type: "datetime" } },
  },
  projects: {
    schema: {
      organisation_id: belongsTo("organisations"),
      parent_id: belongsTo("projects"),
      title: { type: "string" },
      notes: { type: "text" },
      contact: { type: "email" },
      status: { type: "string", enum: ["draft", "published"] },
      budget: { type: "integer" },
      spent: { type: "float" },
      is_open: { type: "boolean" },
      is_public: { type: "boolean" },
      due_on: { type: "date" },
      begins_on: { type: "date" },
      approved_at: { type: "datetime" },
      key: { type: "uuid" },
      other_key: { type: "uuid" },
      details: { type: "json" },
      lead_id: belongsTo("users"),
      tasks: many("tasks", "project_id"),
      project_tags: many("project_tags", "project_id"),
    },
  },
  tasks: {
    schema: { project_id: belongsTo("projects"), assignee_id: belongsTo("users"), reporter_id: belongsTo("users"), title: { type: "string" },
      comments: many("comments", "task_id") },
  },
  comments: { schema: { task_id: belongsTo("tasks"), author_id: belongsTo("users"), text: { type: "text" } } },
  tags: { schema: { name: { type: "string" } } },
  project_tags: { schema: { project_id: belongsTo("projects"), tag_id: belongsTo("tags") } },
  watches: { schema: { project_id: belongsTo("projects"), watcher_id: belongsTo("users") } },
  labels: { schema: { name: { type: "string" } } },
  project_labels: { schema: { project_id: belongsTo("projects"), label_id: belongsTo("labels") } },
};
