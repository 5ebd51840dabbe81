import type { ClientCapabilities, ReadResourceResult } from '@modelcontextprotocol/server'
import type { LiveResource } from './resources.ts'

/** A page that a client shows in the chat (MCP Apps, 2026-01-26). It reaches nothing but the client it is in. */
export type McpApp = {
  uri: `ui://${string}`
  name: string
  title: string
  description: string
  html(): Promise<string>
}

const appMimeType = 'text/html;profile=mcp-app'

const extension = 'io.modelcontextprotocol/ui'

/** What a server with Apps declares. */
export const appExtension = { [extension]: { mimeTypes: [appMimeType] } }

export const knowsApps = ({ extensions }: ClientCapabilities): boolean => extensions?.[extension] !== undefined

/** Where an App finds what is meant for it in an answer. */
export const appDataKey = 'gossamer/data'

export const appResource = ({ uri, name, title, description }: McpApp): LiveResource => ({
  uri,
  name,
  title,
  description,
  mimeType: appMimeType,
})

/** Asks for no origin, so that clients let the page connect nowhere. */
export const appContents = async ({ uri, html }: McpApp): Promise<ReadResourceResult['contents']> => [
  { uri, mimeType: appMimeType, text: await html(), _meta: { ui: { prefersBorder: true } } },
]

/** What the page is told of the server. */
const settings = { frameTool: 'browser_frame', dataKey: appDataKey, protocolVersion: '2026-01-26' }

/** Shows a live browser in the chat. All it needs is the tool it asks for pictures, so that it works over stdio too. */
export const liveViewApp: McpApp = {
  uri: 'ui://gossamer/live-view',
  name: 'live-view',
  title: 'Live browser',
  description: 'Shows the browser of a session while it works.',
  html: async () => {
    const { loadPage } = await import('../../web/web-assets.ts')
    return (await loadPage('mcp-app-page.html')).replace('{}', JSON.stringify(settings))
  },
}
