/** The default mails, which an app can replace: subject, text and HTML by the mail's name. */
export const defaultTemplates = {
  "verify-email": {
    text: `Subject: Confirm your e-mail address for {{service}}

{{#if first_name}}Hello {{first_name}},{{else}}Hello,{{/if}}

please confirm that {{email}} is your e-mail address for {{service}}. Open this link:

{{link}}

It works for {{expires_in}}. If you did not create an account, ignore this mail.
`,
    html: page(
      "Confirm your e-mail address",
      `<p>Please confirm that <strong>{{email}}</strong> is your e-mail address for {{service}}.</p>`,
      "Confirm e-mail address",
      "If you did not create an account, ignore this mail.",
    ),
  },
  "reset-password": {
    text: `Subject: Set a new password for {{service}}

{{#if first_name}}Hello {{first_name}},{{else}}Hello,{{/if}}

we received a request to set a new password for {{email}} at {{service}}. Open this link:

{{link}}

It works once, for {{expires_in}}. If you did not request this, ignore this mail: your password stays the same.
`,
    html: page(
      "Set a new password",
      `<p>We received a request to set a new password for <strong>{{email}}</strong> at {{service}}.</p>`,
      "Set a new password",
      "The link works once. If you did not request this, ignore this mail: your password stays the same.",
    ),
  },
};

/** Loads no external resources. The link is also shown as text, so users can copy it. */
function page(title: string, request: string, action: string, note: string): string {
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
<p>{{#if first_name}}Hello {{first_name}},{{else}}Hello,{{/if}}</p>
${request}
<p><a href="{{link}}" style="display: inline-block; padding: 0.6em 1.2em; border-radius: 0.4em; background-color: #1d4ed8; color: #ffffff; font-weight: bold; text-decoration: none;">${action}</a></p>
<p>Or open this address, for {{expires_in}}:<br><a href="{{link}}" style="overflow-wrap: anywhere; word-break: break-all;">{{link}}</a></p>
<p>${note}</p>
</body>
</html>
`;
}
