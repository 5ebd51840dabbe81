import type { ClientCapabilities, ReadResourceResult } from '@modelcontextprotocol/server'
import type { LiveResource } from './resources.ts'

/** A page that a client shows in the chat (MCP Apps, 2026-01-26). It can reach only its client. */
export type McpApp = {
  uri: `ui://${string}`
  name: string
  title: string
  description: string
  html(): Promise<string>
}

const appMimeType = 'text/html;profile=mcp-app'

const extension = 'io.modelcontextprotocol/ui'

/** Capability that a server with Apps declares. */
export const appExtension = { [extension]: { mimeTypes: [appMimeType] } }

export const knowsApps = ({ extensions }: ClientCapabilities): boolean => extensions?.[extension] !== undefined

/** Key of the data for an App in a response. */
export const appDataKey = 'gossamer/data'

export const appResource = ({ uri, name, title, description }: McpApp): LiveResource => ({
  uri,
  name,
  title,
  description,
  mimeType: appMimeType,
})

/** Declares no origins, so clients let the page connect nowhere. */
export const appContents = async ({ uri, html }: McpApp): Promise<ReadResourceResult['contents']> => [
  { uri, mimeType: appMimeType, text: await html(), _meta: { ui: { prefersBorder: true } } },
]

/** Facts about the server for the page. */
const settings = { frameTool: 'browser_frame', dataKey: appDataKey, protocolVersion: '2026-01-26' }

/** Shows a live browser in the chat. It only calls a tool for pictures, so it works over stdio too. */
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
