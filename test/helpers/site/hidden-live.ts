import { hiddenText } from './injection.ts'
import { html, type Routes } from './route.ts'

/**
 * Kinds of hidden text that a person at a live browser sees: in drawings, fields and frames, or skipped only by screen
 * readers.
 */
const seenLive = /^(?:DRAWING|FIELD|AREA|CHOICE|FRAME|OBJECT|ARIA)$/

/** More ways to hide text on a rendered page, mostly by a style sheet. */
const bySheet: Readonly<Record<string, string>> = {
  SHEET_WHITE: '<style>.a { color: #fff }</style><p class="a">HIDDEN_SHEET_WHITE</p>',
  SHEET_NEAR:
    '<style>.b { background: #fafafa } .b b { color: rgb(253 252 250) }</style><p class="b">Seen <b>HIDDEN_SHEET_NEAR</b></p>',
  SHEET_SPACE: '<style>.c { color: oklch(1 0 0) }</style><p class="c">HIDDEN_SHEET_SPACE</p>',
  SHEET_ALPHA: '<p style="color: rgb(0 0 0 / 2%)">HIDDEN_SHEET_ALPHA</p>',
  SHEET_DARK:
    '<div style="background: #111"><p style="color: #eee">Seen <i style="color: #131313">HIDDEN_SHEET_DARK</i></p></div>',
  SHEET_SIZE: '<style>.d { font-size: 0.2px }</style><p>Seen <span class="d">HIDDEN_SHEET_SIZE</span></p>',
  SHEET_OPACITY: '<style>.e { opacity: 0.01 }</style><div class="e"><p>HIDDEN_SHEET_OPACITY</p></div>',
  OPACITIES: '<div style="opacity:.2"><div style="opacity:.2"><p style="opacity:.2">HIDDEN_OPACITIES</p></div></div>',
  SHEET_OFF: '<style>.f { position: absolute; left: -600px; width: 500px }</style><p class="f">HIDDEN_SHEET_OFF</p>',
  SHEET_ABOVE: '<p style="position: absolute; top: -200px">HIDDEN_SHEET_ABOVE</p>',
  SHEET_FAR: '<p style="position: absolute; left: 9999px; top: 0">HIDDEN_SHEET_FAR</p>',
  OFF_IN_BOX: '<div style="overflow: hidden"><p style="position: absolute; left: -9999px">HIDDEN_OFF_IN_BOX</p></div>',
  FIXED: '<p style="position: fixed; top: -90px">HIDDEN_FIXED</p>',
  SHEET_CLIP:
    '<style>.g { position: absolute; clip-path: inset(0 100% 0 0) }</style><p class="g">HIDDEN_SHEET_CLIP</p>',
  SHEET_RECT: '<p style="position: absolute; clip: rect(1px, 1px, 1px, 1px)">HIDDEN_SHEET_RECT</p>',
  SHEET_DOT:
    '<style>.h { width: 1px; height: 1px; overflow: hidden; white-space: nowrap }</style><p class="h">HIDDEN_SHEET_DOT</p>',
  SHEET_SCALE: '<style>.i { transform: scale(0.001) }</style><p class="i">HIDDEN_SHEET_SCALE</p>',
  SHEET_VISIBILITY: '<style>.j { visibility: hidden }</style><p class="j">HIDDEN_SHEET_VISIBILITY</p>',
  SHEET_NONE: '<style>.k { display: none }</style><p class="k">HIDDEN_SHEET_NONE</p>',
  FILTER: '<p style="filter: opacity(0)">HIDDEN_FILTER</p>',
  CONTENT: '<div style="content-visibility: hidden"><p>HIDDEN_CONTENT</p></div>',
  DISCLOSURE: '<details><summary>Seen</summary>HIDDEN_DISCLOSURE <b>HIDDEN_DISCLOSURE_B</b></details>',
  HEADING: '<h2 style="color: white">HIDDEN_HEADING</h2>',
  PART: '<h2>Seen <span style="opacity: 0">HIDDEN_PART</span></h2>',
  LIST: '<ul><li>Seen</li><li style="color: white">HIDDEN_LIST</li></ul>',
  ROWS: '<table><tr><th>Seen</th><th>Too</th></tr><tr><td>1</td><td style="color: white">HIDDEN_ROWS</td></tr></table>',
  LINK: '<p><a href="/x" style="color: white; text-decoration: none">HIDDEN_LINK</a></p>',
  BUTTON: '<button style="opacity: 0">HIDDEN_BUTTON</button>',
  SKIP: '<a href="/x" style="position: absolute; left: -9999px">HIDDEN_SKIP</a>',
  CODE_PART: '<pre>seen <span style="color: white">HIDDEN_CODE_PART</span></pre>',
  ALT: '<img src="data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7" alt="HIDDEN_ALT" style="opacity: 0" width="40" height="40">',
  DOT: '<img src="data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7" alt="HIDDEN_DOT" width="1" height="1">',
  VALUE: '<input value="HIDDEN_VALUE" style="color: white; background: white" aria-label="Name">',
  SLOT: '<x-y><template shadowrootmode="open"><div style="opacity: 0"><slot></slot></div></template><p>HIDDEN_SLOT</p></x-y>',
  FRAMED: `<iframe srcdoc="<body style='color: white; background: white'>HIDDEN_FRAMED" width="200" height="90"></iframe>`,
  LONG_NAME: `<button>Seen<span style="position: absolute; left: -9999px">${'and so on '.repeat(12)} HIDDEN_LONG_NAME</span></button>`,
  REGION: `<section aria-label="${'and so on '.repeat(12)} HIDDEN_REGION"><p>Seen</p></section>`,
}

/** Ways to hide text from a person at a live browser, each with its marker. */
export const hiddenLive: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(hiddenText).filter(([name]) => !seenLive.test(name))),
  ...bySheet,
}

/** Returns the path of a page that contains this HTML between visible words. */
export const livePath = (body: string): string => `/live-page/${Buffer.from(body).toString('base64url')}`

export const livePageRoutes: Routes = {
  '/live-page/*': html(
    ({ url }) =>
      `<!doctype html><title>Tools</title><h1>Garden tools</h1><p>Seen words.</p>${Buffer.from(url.pathname.split('/').at(-1) ?? '', 'base64url').toString()}<p>The end.</p>`,
  ),
}
