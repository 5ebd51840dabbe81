import { doorPaths, type SessionFacts } from '../../core/session.ts'

export type SessionAddresses = { cdpUrl?: string; liveViewUrl?: string; interactiveLiveViewUrl?: string }

/** Where a live session is reached, by the address of the server; nowhere once it is over. */
export function addressesOf({ keys, streamWebView }: SessionFacts, baseUrl: string): SessionAddresses {
  if (!keys) return {}
  return {
    cdpUrl: `${baseUrl.replace(/^http/, 'ws')}${doorPaths.cdp(keys.cdp)}`,
    ...(streamWebView && {
      liveViewUrl: `${baseUrl}${doorPaths.view(keys.view)}`,
      interactiveLiveViewUrl: `${baseUrl}${doorPaths.view(keys.control)}`,
    }),
  }
}
