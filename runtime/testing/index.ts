/** For tests of an app: runs its service on a separate database, with any test runner. */

export type { LogLine } from "./captured-log.ts";
export type { TestMail, TestSms } from "./captured-messages.ts";
export type { NewUser, TestUser } from "./create-user.ts";
export type { RunJobsOptions } from "./run-due-jobs.ts";
export { startTestService } from "./start-test-service.ts";
export type { TestCaller } from "./test-caller.ts";
export type { SendRequest, SentAs, TestBody, TestReply, TestRequest } from "./test-request.ts";
export type { TestDatabase, TestOptions, TestService } from "./test-service.ts";
export { TestServiceError } from "./test-service-error.ts";
export type { TestSettings } from "./test-settings.ts";
