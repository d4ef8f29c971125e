/** What a job may be called: the name of its file in `models/jobs/`. */
export const jobName = /^[a-z][a-z0-9_-]{0,62}$/;

/** The same in words. */
export const jobNameRule = "lower-case letters, digits, _ and -, a letter first, at most 63 of them";
