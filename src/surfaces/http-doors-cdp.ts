import { fail } from '../core/error.ts'
import { doorPaths, type Door } from '../core/session.ts'

type CdpDoor = Extract<Door, { kind: 'cdp' }>
type Asked = { key: string; path: string; baseUrl: string }

/** What Chrome answers at its debugging port, for clients that are given an http address. Fails with NOT_FOUND. */
export async function answerCdp(door: CdpDoor, { key, path, baseUrl }: Asked): Promise<Response> {
  const address = `${baseUrl.replace(/^http/, 'ws')}${doorPaths.cdp(key)}`
  switch (path) {
    case 'json/version':
      return json(versionOf(door, address))
    case 'json':
    case 'json/list':
      return json((await door.pages()).map((page) => entryOf(page, address)))
    case '':
      return fail('BAD_REQUEST', {
        message: 'This address speaks the Chrome DevTools Protocol over WebSocket.',
        hint: 'Connect with Playwright (connectOverCDP), Puppeteer (connect) or agent-browser (--cdp).',
      })
    default:
      return fail('NOT_FOUND', { hint: 'There are json/version, json/list and the WebSocket itself.' })
  }
}

const versionOf = ({ version }: CdpDoor, webSocketDebuggerUrl: string) => ({
  Browser: version.product,
  'Protocol-Version': version.protocolVersion,
  'User-Agent': version.userAgent,
  webSocketDebuggerUrl,
})

const entryOf = ({ id, url, title }: { id: string; url: string; title: string }, address: string) => ({
  description: '',
  id,
  title,
  type: 'page',
  url,
  webSocketDebuggerUrl: `${address}/devtools/page/${id}`,
})

const json = (body: object) =>
  new Response(JSON.stringify(body, undefined, 2), { headers: { 'content-type': 'application/json; charset=UTF-8' } })
