import type { AccountMail } from "../../../vocabulary/mail/mail-files.ts";

interface MailText {
  readonly text: string;
  readonly html: string;
}

const hello = "{{#if first_name}}Hello {{first_name}},{{else}}Hello,{{/if}}";

/** The default mails, which an app can replace: subject, text and HTML by the mail's name. */
export const defaultTemplates: Readonly<Record<AccountMail, MailText>> = {
  "verify-email": linkMail({
    title: "Confirm your e-mail address",
    request: "Please confirm that {{email}} is your e-mail address for {{service}}.",
    action: "Confirm e-mail address",
    note: "If you did not create an account, ignore this mail.",
  }),
  "reset-password": linkMail({
    title: "Set a new password",
    request: "We received a request to set a new password for {{email}} at {{service}}.",
    action: "Set a new password",
    note: "The link works once. If you did not request this, ignore this mail: your password stays the same.",
  }),
  "change-email": linkMail({
    title: "Confirm your new e-mail address",
    request: "Please confirm that {{email}} is the new e-mail address of your account at {{service}}.",
    action: "Confirm e-mail address",
    note: "The link works once. If you did not request this, ignore this mail: nothing changes.",
  }),
  invitation: linkMail({
    title: "Your account",
    request: "You were invited to {{service}}. Set a password for {{email}} to use your account.",
    action: "Set a password",
    note: "The link works once. If you did not expect this, ignore this mail.",
  }),
  "change-email-taken": plainMail({
    title: "Your e-mail address is already in use",
    lines: [
      "We received a request to use {{email}} for an account at {{service}}. Another account already has this address, so nothing was changed.",
      "If this was you, sign in to the account of this address. If not, ignore this mail.",
    ],
  }),
  "email-changed": plainMail({
    title: "Your e-mail address was changed",
    lines: ["{{what}} at {{service}}. It was {{email}}.", ...circumstances()],
  }),
  "account-notice": plainMail({
    title: "{{what}}",
    lines: ["{{what}}. This mail is about your account {{email}} at {{service}}.", ...circumstances()],
  }),
  "email-code": plainMail({
    title: "Your sign-in code",
    lines: [
      "{{code}} is the code to sign in to {{service}} as {{email}}.",
      "It works once, for {{expires_in}}. Do not pass it on. If you did not request it, ignore this mail.",
    ],
  }),
  "account-deleted": plainMail({
    title: "Your account was deleted",
    lines: ["{{what}}: the account of {{email}} at {{service}}.", ...circumstances()],
  }),
};

/** When and where a change was made, and what its victim can do. */
function circumstances(): readonly string[] {
  return [
    "Time: {{time}}",
    "Device: {{device}}",
    "If this was you, there is nothing to do.",
    "{{#if reply_to}}If not, write to {{reply_to}} at once.{{else}}If not, tell the operator of {{service}} at once.{{/if}}",
  ];
}

interface LinkText {
  readonly title: string;
  readonly request: string;
  readonly action: string;
  readonly note: string;
}

/** The link is also shown as text, so users can copy it. */
function linkMail({ title, request, action, note }: LinkText): MailText {
  const text = [`${request} Open this link:`, "{{link}}", `It works for {{expires_in}}. ${note}`];
  const html = `<p>${request}</p>
<p><a href="{{link}}" style="display: inline-block; padding: 0.6em 1.2em; border-radius: 0.4em; background-color: #1d4ed8; color: #ffffff; font-weight: bold; text-decoration: none;">${action}</a></p>
<p>Or open this address, for {{expires_in}}:<br><a href="{{link}}" style="overflow-wrap: anywhere; word-break: break-all;">{{link}}</a></p>
<p>${note}</p>`;
  return { text: textOf(`${title} for {{service}}`, text), html: page(title, html) };
}

/** A mail without links. */
function plainMail({
  title,
  lines,
}: {
  readonly title: string;
  readonly lines: readonly string[];
}): MailText {
  const paragraphs = lines.map((line) => `<p>${line}</p>`).join("\n");
  return { text: textOf(`${title} at {{service}}`, lines), html: page(title, paragraphs) };
}

function textOf(subject: string, lines: readonly string[]): string {
  return `Subject: ${subject}\n\n${[hello, ...lines].join("\n\n")}\n`;
}

/** Loads no external resources. */
function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
</head>
<body style="margin: 0 auto; max-width: 36em; padding: 1.5em; font: 16px/1.5 system-ui, sans-serif;">
<h1 style="font-size: 1.4em;">${title}</h1>
<p>${hello}</p>
${body}
</body>
</html>
`;
}
