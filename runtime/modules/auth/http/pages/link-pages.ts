import { type Page, page } from "../../../../core/pages/index.ts";
import { passwordForm } from "./account-pages.ts";
import { formScript } from "./form-script.ts";

/** Only the button sends the token. */
const changeEmailScript = formScript(`
  const token = takeToken();
  serve({
    part: byId("confirm"), path: "change-email/confirm", fields: {},
    body: () => ({ token }),
    succeed: (form, { data }) => showDone(form, "Your e-mail address is now " + data.email + ". You can close this page."),
  });
`);

const changeEmail = page({
  title: "Confirm your new e-mail address",
  main: `<noscript><h1>Confirm your new e-mail address</h1><p>This page needs JavaScript. Please allow it, and open the link in the mail again.</p></noscript>
<section id="confirm" hidden>
<h1>Confirm your new e-mail address</h1>
<form novalidate>
<p>Your account will use the address that received the link. It keeps the old address until you confirm the new one.</p>
<p class="error" role="alert"></p>
<button type="submit">Use the new address</button>
</form>
<p class="done" role="status" tabindex="-1"></p>
</section>
`,
  script: changeEmailScript,
});

/** The page of `GET /auth/change-email`: one button, which confirms the address of the link. */
export function changeEmailPage(): Page {
  return changeEmail;
}

const acceptInvitationScript = formScript(`
  const form = passwordByLink(
    byId("accept"), "accept-invitation", takeToken(), "Your password is set. You can sign in with it now.",
  );
  serve(form);
  form.first.focus();
`);

const acceptInvitation = page({
  title: "Set a password for your account",
  main: `<noscript><h1>Set a password for your account</h1><p>This page needs JavaScript. Please allow it, and open the link in the mail again.</p></noscript>
<section id="accept" hidden>
<h1>Set a password for your account</h1>
${passwordForm}
</section>
`,
  script: acceptInvitationScript,
});

/** The page of `GET /auth/accept-invitation`: a form for the first password. */
export function acceptInvitationPage(): Page {
  return acceptInvitation;
}
