/** The style of all pages. Every pair of colours has a contrast of at least 4.5 to 1 (WCAG 2.2, AA), 3 to 1 for borders. */
export const style = `
:root {
  color-scheme: light dark;
  --text: #1b1b1f; --back: #ffffff; --soft: #5a5a66; --line: #767680;
  --strong: #1d4ed8; --on-strong: #ffffff; --bad: #b00020;
}
@media (prefers-color-scheme: dark) {
  :root {
    --text: #ececf1; --back: #16171d; --soft: #b4b4c0; --line: #8e8e99;
    --strong: #93b4ff; --on-strong: #0b1020; --bad: #ffb4ab;
  }
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
body { margin: 0; background: var(--back); color: var(--text); font: 100%/1.5 system-ui, sans-serif; }
main { max-width: 28rem; margin: 0 auto; padding: 3rem 1.25rem; }
h1 { margin: 0 0 0.75rem; font-size: 1.5rem; line-height: 1.25; }
label { display: block; margin: 1rem 0 0.25rem; font-weight: 600; }
input[type=text], input[type=password] {
  width: 100%; padding: 0.625rem 0.75rem; border: 1px solid var(--line); border-radius: 0.375rem;
  background: var(--back); color: var(--text); font: inherit;
}
input[aria-invalid=true] { border: 2px solid var(--bad); }
.check { display: flex; gap: 0.5rem; align-items: center; font-weight: 400; }
.check input { width: 1.25rem; height: 1.25rem; margin: 0; accent-color: var(--strong); }
.hint { margin: 0.25rem 0 0; color: var(--soft); font-size: 0.875rem; }
.error { margin: 1rem 0 0; color: var(--bad); font-weight: 600; }
.error:empty, .done:empty { margin: 0; }
button {
  width: 100%; min-height: 2.75rem; margin-top: 1.5rem; padding: 0.625rem 1rem; border: 0; border-radius: 0.375rem;
  background: var(--strong); color: var(--on-strong); font: inherit; font-weight: 600; cursor: pointer;
}
button[aria-disabled=true] { cursor: progress; }
a { color: var(--strong); }
:focus-visible { outline: 3px solid var(--strong); outline-offset: 2px; }
`;
