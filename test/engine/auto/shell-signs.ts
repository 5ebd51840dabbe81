import { analytics, bundle, html, times } from './shape.ts'

const noscript = (text: string) => `<noscript>${text}</noscript>`
const onlyNoscript = (text: string, lang: string) =>
  html(`${noscript(text)}<div class="view"></div>${bundle}`, { lang })

/** Shells without a framework, or with a text that asks for scripts. */
export const otherShells: readonly (readonly [name: string, html: string])[] = [
  [
    'an interstitial that checks the browser',
    html(
      `<div class="main-wrapper"><h1>example.com</h1><h2>Verifying you are human. This may take a few seconds.</h2></div><script src="/cdn-cgi/challenge-platform/orchestrate.js"></script>`,
      { title: 'Just a moment...' },
    ),
  ],
  [
    'an interstitial without text',
    html(`<div id="challenge"></div><script src="/cdn-cgi/challenge-platform/orchestrate.js"></script>`, {
      title: 'Just a moment...',
    }),
  ],
  ['an interstitial that sets a cookie', html(`<script>document.cookie="k=1;path=/";location.reload()</script>`)],
  ['a refresh by a meta tag', html('', { head: '<meta http-equiv="refresh" content="0; url=/landing">' })],
  [
    'a refresh by a meta tag with a word',
    html('<p>Moved <a href="/landing">here</a>.</p>', {
      head: `<meta http-equiv="Refresh" content="1;URL='/landing'">`,
    }),
  ],
  ['a script that forwards', html('<script>window.location.href = "/landing"</script>')],
  [
    'a script that forwards later',
    html('<p>One moment.</p><script>setTimeout(function(){ window.location = "/landing" }, 50)</script>'),
  ],
  [
    'a form that sends itself',
    html(
      '<form method="get" action="/landing"><input type="hidden" name="token" value="1"></form><script>document.forms[0].submit()</script>',
    ),
  ],
  ['skeletons', html(`<div class="page">${times(6, () => '<div class="skeleton"></div>')}</div>${bundle}`)],
  ['a spinner', html(`<div class="spinner"></div>${bundle}`)],
  ['nothing but scripts', html(`<script src="/vendor.js"></script><script src="/main.js"></script>${analytics}`)],
  ['a body that one script writes', html(`<script>document.write('<script src="/app.js"><\\/script>')</script>`)],
  ['a noscript in English', onlyNoscript('This site needs JavaScript to work.', 'en')],
  ['a noscript in German', onlyNoscript('Bitte aktivieren Sie JavaScript, um diese Seite zu nutzen.', 'de')],
  [
    'words that ask for JavaScript',
    html(`<p>JavaScript is disabled in your browser. Please enable it to continue.</p>${bundle}`),
  ],
]
