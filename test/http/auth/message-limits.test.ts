import { beforeEach, describe, expect, test } from "vitest";
import { account, accounts, countRows, password } from "../../support/accounts.ts";
import { limitedServices } from "../../support/limited-service.ts";
import { mailing } from "../../support/links.ts";
import { testSms } from "../../support/sms.ts";
import { testSmtp } from "../../support/smtp.ts";

const smtp = await testSmtp();
const sms = await testSms();
const settings = mailing(smtp);
const services = await limitedServices({
  ...settings,
  email: { ...settings.email, hourlyLimitPerRecipient: 3 },
  sms: { ...sms.settings, hourlyLimitPerAddress: 3 },
  rateLimit: { enabled: false },
});

describe.each(services)("what the account routes send in an hour, counted in $counters", (service) => {
  const post = async (path: string, body: { [key: string]: string }, from = "203.0.113.7") => {
    const headers = { "x-forwarded-for": from };
    const { status, text } = await service.send({ method: "POST", path: `/auth/${path}`, body, headers });
    await service.settled();
    return `${status} ${text}`;
  };
  const warnings = () =>
    service.log.flatMap(({ level, recipient, msg }) => (level === 40 ? [{ recipient, msg }] : []));
  let earlier = 0;
  const mailsTo = (email: string) => smtp.mails.slice(earlier).filter(({ to }) => to.includes(email)).length;

  beforeEach(async () => {
    await service.forget();
    await service.store(accounts([account(1, { is_verified: false }), account(2)]));
    service.log.length = 0;
    earlier = smtp.mails.length;
    sms.sent.length = 0;
  });

  test("beyond the limit of a recipient the answer is the same and no mail is sent, whichever route is asked", async () => {
    const email = "user1@example.com";
    const answers = [
      await post("request-reset-password", { email }),
      await post("request-reset-password", { email: "USER1@example.com" }),
      await post("request-verification", { email }),
    ];
    expect(mailsTo(email)).toBe(3);
    expect(warnings()).toEqual([]);
    expect(await post("request-reset-password", { email })).toBe(answers[0]);
    expect(await post("request-verification", { email })).toBe(answers[2]);
    const warning = {
      recipient: "u…@example.com",
      msg: "a mail was not sent: email.hourly_limit_per_recipient is 3",
    };
    expect(warnings()).toEqual([warning, warning]);
    expect(mailsTo(email)).toBe(3);
    expect(await countRows(service, "auth_tokens", "token_type = 'password_reset'")).toBe(2);
    expect(await service.counted()).toEqual({ "auth:mail:email:user1@example.com": 3 });

    await post("request-reset-password", { email: "user2@example.com" });
    expect(mailsTo("user2@example.com")).toBe(1);
    service.clock.pass(3600);
    await post("request-reset-password", { email });
    expect(mailsTo(email)).toBe(4);
  });

  test("a registration counts too, and what would not be sent does not", async () => {
    const email = "new@example.com";
    for (let at = 0; at < 3; at++) await post("request-reset-password", { email });
    expect(await service.counted()).toEqual({});
    for (let at = 0; at < 4; at++) {
      expect(await post("register", { email, password })).toContain('"verification_email_sent":true');
      await service.query("delete from users where email = 'new@example.com'");
    }
    expect(mailsTo(email)).toBe(3);
    expect(warnings()).toHaveLength(1);
  });

  test("beyond the limit of an address no text message is sent, and a code that was sent stays good", async () => {
    const numbers = ["+12025550123", "+12025550124", "+12025550125"];
    const answers: string[] = [];
    for (const phone_number of numbers)
      answers.push(await post("request-otp", { phone_number }, "2001:db8::1"));
    expect(sms.sent).toHaveLength(3);
    for (const phone_number of ["+12025550123", "+12025550126"])
      expect(await post("request-otp", { phone_number }, "2001:db8::2")).toBe(answers[0]);
    expect(sms.sent).toHaveLength(3);
    const msg = "a text message was not sent: sms.hourly_limit_per_address is 3";
    expect(warnings()).toEqual([
      { recipient: "+12…23", msg },
      { recipient: "+12…26", msg },
    ]);
    expect(await countRows(service, "auth_otp")).toBe(3);
    expect(await service.counted()).toEqual({ "auth:sms:ip:2001:db8::/64": 3 });
    expect(
      await post("verify-otp", { phone_number: "+12025550123", otp: sms.codeOf("+12025550123") }),
    ).toMatch(/^200/);
    await post("request-otp", { phone_number: "+12025550126" }, "203.0.113.7");
    expect(sms.sent).toHaveLength(4);
  });
});
