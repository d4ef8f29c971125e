const defineSqlMigration = (migration: unknown) => migration;

export default defineSqlMigration({ class: "breaking", up: 7, undo: "" });
