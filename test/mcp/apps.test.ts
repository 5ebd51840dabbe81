import { describe, expect, it } from 'vitest'
import { liveViewApp } from '../../src/surfaces/mcp/live-browser.ts'
import { createMcpFetch } from '../../src/surfaces/mcp/transport/http.ts'
import { type Abilities, connect, kinds, startHttp } from './clients.ts'
import { browserOptions, pictures, toyBrowser } from './toy-browser.ts'
import { caller } from './toy.ts'
import { forAll } from '../helpers/for-all.ts'

const ui = 'io.modelcontextprotocol/ui'
const mimeTypes = ['text/html;profile=mcp-app']
const knowsApps: Abilities = { capabilities: { extensions: { [ui]: { mimeTypes } } } }

describe.each(kinds)('MCP Apps for the client %s', (kind) => {
  const browser = toyBrowser()
  const join = (abilities?: Abilities) => connect(kind, { url: server.url }, abilities)

  const mcp = forAll(() => createMcpFetch(browserOptions(browser)))
  const server = forAll(() => startHttp((request) => mcp.fetch(request, caller)))

  it('are declared, listed and read', async () => {
    const client = await join()
    expect(client.extensions()).toEqual({ [ui]: { mimeTypes } })
    expect(await client.resources()).toMatchObject([{ uri: liveViewApp.uri, mimeType: mimeTypes[0] }])
    const { contents } = await client.read(liveViewApp.uri)
    expect(contents).toEqual([
      {
        uri: liveViewApp.uri,
        mimeType: mimeTypes[0],
        text: await liveViewApp.html(),
        _meta: { ui: { prefersBorder: true } },
      },
    ])
    await client.close()
  })

  it('are named by the tools whose answers they show, and have their own tools', async () => {
    const client = await join(knowsApps)
    expect(Object.fromEntries((await client.tools()).map(({ name, _meta: meta }) => [name, meta]))).toEqual({
      toy_open: { ui: { resourceUri: liveViewApp.uri } },
      browser_frame: { ui: { visibility: ['app'] } },
      toy_do: undefined,
      toy_snapshot: undefined,
    })
    await client.close()
  })

  it('hide their own tools from the model of a client without Apps', async () => {
    const client = await join()
    expect((await client.tools()).map(({ name }) => name)).toEqual(['toy_open', 'toy_do', 'toy_snapshot'])
    const { id } = browser.open(caller.team.id)
    await expect(client.call('browser_frame', { sessionId: id })).rejects.toMatchObject({ code: -32_602 })
    await client.close()
  })

  it('get data that the model does not need, separate from the answer', async () => {
    const client = await join(knowsApps)
    const { id } = browser.open(caller.team.id)
    expect(await client.call('browser_frame', { sessionId: id })).toMatchObject({
      content: [{ type: 'image', data: pictures[1], mimeType: 'image/png' }],
      _meta: { 'gossamer/data': { title: 'Shop <b>1</b>', url: 'https://shop.example/' } },
    })
    await client.close()
  })
})
