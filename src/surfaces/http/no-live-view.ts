import { createHash } from 'node:crypto'

const style = `
:root { color-scheme: light dark; }
body {
  margin: 0; padding: 16vh 24px 0; text-align: center; font: 14px/1.4 system-ui, sans-serif;
  background: light-dark(#f3f4f6, #17181b); color: light-dark(#1c1e22, #e8e9ec);
}
svg { width: 44px; height: 44px; fill: none; stroke: light-dark(#646a73, #9aa0aa); stroke-width: 1.4; stroke-linecap: round; }
h1 { margin: 12px 0 6px; font-size: 22px; }
p { max-width: 46ch; margin: 0 auto; color: light-dark(#5c626b, #9aa0aa); }
`

/** What people see at the address of a live view that is not there. */
export const noLiveViewPage = {
  contentSecurityPolicy: `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; frame-ancestors *`,
  html: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>No live view</title>
<style>${style}</style>
</head>
<body>
<main>
<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M3 5h18v14H3zM3 9h18M9 12l6 5M15 12l-6 5"/></svg>
<h1>This live view does not exist or has ended.</h1>
<p>Browser sessions end when they are closed and when their time is up. If it is still open, ask your agent for the address of its live view again.</p>
</main>
</body>
</html>
`,
}
