import { createSecretKey, randomBytes } from "node:crypto";
import { type TestService, testService } from "../support/service.ts";
import type { TestSmtp } from "../support/smtp.ts";

/** A service that sends real mails, with its accounts below `authPrefix`. */
export function mailingService(authPrefix: string, smtp: TestSmtp): Promise<TestService> {
  return testService({
    authPrefix,
    auth: {
      securityNotices: false,
      forgotPasswordPageUrl: `https://shop.example${authPrefix}/forgot-password`,
      changeEmailPageUrl: `https://shop.example${authPrefix}/change-email`,
      invitationPageUrl: `https://shop.example${authPrefix}/accept-invitation`,
    },
    secrets: { verification: [createSecretKey(randomBytes(32))] },
    email: { provider: "smtp", from: "Shop <no-reply@shop.example>", smtpUrl: smtp.url },
  });
}
