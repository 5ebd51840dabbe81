import type { ClientCapabilities, ReadResourceResult } from '@modelcontextprotocol/server'
import type { LiveResource } from './resources.ts'

/** A page that a client shows in the chat (MCP Apps, 2026-01-26). It reaches nothing but the client it is in. */
export type McpApp = {
  uri: `ui://${string}`
  name: string
  title: string
  description: string
  html(): string
}

const mimeType = 'text/html;profile=mcp-app'

const extension = 'io.modelcontextprotocol/ui'

/** What a server with Apps declares. */
export const appExtension = { [extension]: { mimeTypes: [mimeType] } }

export const knowsApps = ({ extensions }: ClientCapabilities): boolean => extensions?.[extension] !== undefined

/** Where an App finds what is meant for it in an answer. */
export const appDataKey = 'gossamer/data'

export const appResource = ({ uri, name, title, description }: McpApp): LiveResource => ({
  uri,
  name,
  title,
  description,
  mimeType,
})

/** Asks for no origin, so that clients let the page connect nowhere. */
export const appContents = ({ uri, html }: McpApp): ReadResourceResult['contents'] => [
  { uri, mimeType, text: html(), _meta: { ui: { prefersBorder: true } } },
]
