import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type AnyClient, connect, kinds, type Question } from '../mcp/clients.ts'
import { bin, tempDir } from '../helpers/program.ts'
import { siteForAll } from '../helpers/for-all.ts'
import { sessionIdIn } from '../helpers/tool-call.ts'
import { loginRoutes } from './sessions-kit.ts'

const soon = { interval: 50 }
const app = 'ui://gossamer/live-view'
const site = siteForAll({ routes: loginRoutes })

describe.each(kinds.slice(-1))('the client %s over stdio', (kind) => {
  const folder = tempDir()
  const updates: string[] = []
  const questions: Question[] = []
  let client: AnyClient
  let sessionId = ''
  let uri = ''

  beforeAll(async () => {
    const env = { GOSSAMER_DATA_DIR: folder.path, GOSSAMER_ALLOW_HOSTS: `127.0.0.1:${site.port}` }
    client = await connect(
      kind,
      { command: [process.execPath, bin], env },
      {
        capabilities: {
          elicitation: { url: {}, form: {} },
          extensions: { 'io.modelcontextprotocol/ui': {} },
        },
        elicit: async (question) => {
          questions.push(question)
          return 'accept'
        },
        onUpdate: (what) => void updates.push(what),
      },
    )
    sessionId = sessionIdIn(await client.call('browser_create', {}))
    uri = `browser-session://${sessionId}`
  })
  afterAll(async () => {
    await client.close()
    folder.remove()
  })
  const act = (more: object) => client.call('browser_act', { sessionId, ...more })

  it('lists the session among the resources, and reads its state, picture and text', async () => {
    await act({ acts: [{ type: 'navigate', url: site.url('/sessions/account') }] })
    const parts = [uri, `${uri}/screenshot`, `${uri}/snapshot`]
    expect((await client.resources()).map((resource) => resource.uri)).toEqual([...parts, app])
    const [state, picture, text] = await Promise.all(parts.map(async (part) => (await client.read(part)).contents))
    expect(JSON.parse(state?.[0]?.text ?? '')).toMatchObject({
      id: sessionId,
      status: 'active',
      tabs: [{ url: site.url('/sessions/account'), isCurrent: true }],
    })
    expect(picture).toEqual([
      { uri: `${uri}/screenshot`, mimeType: 'image/jpeg', blob: expect.stringMatching(/^\/9j\//) },
    ])
    expect(text).toMatchObject([{ mimeType: 'text/plain', text: expect.stringContaining('button "Log in"') }])
  })

  it('is notified when its page changes', async () => {
    await client.watch([uri, `${uri}/screenshot`])
    updates.length = 0
    await act({ acts: [{ type: 'reload' }] })
    await vi.waitFor(() => expect(updates).toEqual(expect.arrayContaining([uri, `${uri}/screenshot`])), soon)
    expect(updates).not.toContain(`${uri}/snapshot`)
  })

  it('is asked to open the interactive live view if a person is needed', async () => {
    const result = await act({ acts: [{ type: 'wait', milliseconds: 1 }], askPerson: 'Please log in.' })
    expect(result.isError).toBeFalsy()
    expect(questions).toMatchObject([
      { mode: 'url', message: 'Please log in.', url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/live\//) },
      { mode: 'form' },
    ])
    expect((await fetch(questions[0]?.url ?? '')).status).toBe(200)
  })

  it('is notified when the session ends, and no longer finds it', async () => {
    updates.length = 0
    await client.call('browser_close', { sessionId })
    await vi.waitFor(() => expect(updates).toContain('list'), soon)
    expect((await client.resources()).map((resource) => resource.uri)).toEqual([app])
    await expect(client.read(uri)).rejects.toThrow('SESSION_GONE')
  })
})
