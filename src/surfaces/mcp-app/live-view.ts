import { appDataKey, type McpApp } from '../mcp/apps.ts'
import { pageFunctions } from './page.ts'

/** Shows a live browser in the chat. All it needs is the tool it asks for pictures, so that it works over stdio too. */
export const liveViewApp: McpApp = {
  uri: 'ui://gossamer/live-view',
  name: 'live-view',
  title: 'Live browser',
  description: 'Shows the browser of a session while it works.',
  html: () => document({ frameTool: 'browser_frame', dataKey: appDataKey, protocolVersion: '2026-01-26' }),
}

const document = (settings: object) => `<!doctype html>
<html lang="en" data-room="free">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Live browser</title>
<style>${css}</style>
</head>
<body>
<header><strong id="title">Live browser</strong><span id="note" role="status">Waiting for the session</span></header>
<div id="address"></div>
<ul id="tabs" aria-label="Tabs"></ul>
<figure><img id="picture" alt="" hidden></figure>
<footer><button id="watch" hidden>Open the live view</button><button id="control" hidden>Take control</button></footer>
<script>
${pageFunctions.map(String).join('\n')}
;(${pageFunctions[0]?.name})(${JSON.stringify(settings)})
</script>
</body>
</html>
`

/** Names and fallbacks of the colours: MCP Apps, "Theming". */
const css = `
:root {
  color-scheme: light dark;
  --back: var(--color-background-primary, light-dark(#ffffff, #1c1c1e));
  --ink: var(--color-text-primary, light-dark(#1c1c1e, #f2f2f2));
  --faint: var(--color-text-secondary, light-dark(#5f6368, #a0a0a6));
  --line: var(--color-border-primary, light-dark(#d9d9de, #3a3a3e));
  --pane: var(--color-background-secondary, light-dark(#f4f4f6, #2a2a2d));
  font: 14px/1.4 var(--font-sans, system-ui, sans-serif);
  background: var(--back);
  color: var(--ink);
}
body { margin: 0; padding: 10px; display: flex; flex-direction: column; gap: 6px; }
header { display: flex; gap: 8px; align-items: baseline; justify-content: space-between; }
#title, #address, #tabs li { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
#note { flex: none; font-size: 12px; color: var(--faint); }
#note::before { content: '● '; }
[data-state='live'] #note::before { color: light-dark(#188038, #5bb974); }
#address { font: 12px var(--font-mono, ui-monospace, monospace); color: var(--faint); min-height: 1.4em; }
#tabs { display: flex; gap: 4px; margin: 0; padding: 0; list-style: none; font-size: 12px; }
#tabs:empty { display: none; }
#tabs li { max-width: 14em; padding: 1px 8px; border: 1px solid var(--line); border-radius: 6px; color: var(--faint); }
#tabs [aria-current] { color: var(--ink); background: var(--pane); }
figure { margin: 0; min-height: 120px; text-align: center; background: var(--pane); border: 1px solid var(--line);
  border-radius: var(--border-radius-md, 8px); overflow: hidden; }
img { display: block; margin: auto; max-width: 100%; max-height: var(--picture-height, none); }
img[hidden] { display: none; }
[data-state='over'] img { opacity: 0.45; filter: grayscale(1); }
footer { display: flex; gap: 8px; }
button { font: inherit; padding: 4px 12px; color: var(--ink); background: var(--pane); border: 1px solid var(--line);
  border-radius: 6px; cursor: pointer; }
button:focus-visible { outline: 2px solid var(--color-ring-primary, #4285f4); }
[hidden], [data-state='over'] footer { display: none; }
[data-room='fixed'] body { box-sizing: border-box; height: 100vh; }
[data-room='fixed'] figure { flex: 1; min-height: 0; }
[data-room='fixed'] img { height: 100%; object-fit: contain; }
`
