import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ResourceEvent } from '../../src/surfaces/mcp/resources.ts'
import { createMcpFetch } from '../../src/surfaces/mcp/transport/http.ts'
import { type Abilities, type AnyClient, connect, callerOf, kinds, startHttp, toyBrowserCommand } from './clients.ts'
import { forTest } from '../helpers/for-all.ts'
import { browserOptions, pictures, toyBrowser } from './toy-browser.ts'
import { caller, otherCaller } from './toy.ts'

/** A server with two teams; `join` connects a client of one of them. */
async function serve() {
  const browser = toyBrowser()
  const mcp = forTest(createMcpFetch(browserOptions(browser)))
  const callers = { '': caller, other: otherCaller }
  const server = forTest(await startHttp((request) => mcp.fetch(request, callerOf(request, callers))))
  const join = async (kind: (typeof kinds)[number], team: keyof typeof callers, abilities?: Abilities) =>
    forTest(await connect(kind, { url: server.url, headers: { authorization: team } }, abilities))
  return { browser, join, url: server.url }
}

function listen(teamId: string) {
  const browser = toyBrowser()
  const updates: ResourceEvent[] = []
  const stop = browser.resources.resourceEvents(teamId, (event) => updates.push(event))
  const of = (uri: string) => updates.filter((event) => event.kind === 'updated' && event.uri === uri)
  return { browser, updates, stop, of }
}

describe('notifications about sessions', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('cover the state, the picture and the text together', () => {
    const { browser, updates } = listen('team-a')
    browser.touch({ id: 's1', teamId: 'team-a', frames: 0, isOver: false })
    expect(updates).toEqual(
      ['', '/screenshot', '/snapshot'].map((part) => ({ kind: 'updated', uri: `browser-session://s1${part}` })),
    )
  })

  it('are sent at most once a second, and include the last change', () => {
    const { browser, of } = listen('team-a')
    const session = browser.open('team-a')
    const countUpdates = () => of(`browser-session://${session.id}`).length
    const counts = Array.from({ length: 50 }, () => {
      browser.touch(session)
      vi.advanceTimersByTime(100)
      return countUpdates()
    })
    expect(counts.at(-1)).toBe(6)
    vi.advanceTimersByTime(10_000)
    expect(countUpdates()).toBe(6)
    browser.touch(session)
    expect(countUpdates()).toBe(7)
  })

  it('are sent to the session’s own team only', () => {
    const { browser, updates } = listen('team-b')
    browser.touch(browser.open('team-a'))
    expect(updates).toEqual([])
    browser.open('team-b')
    expect(updates).toEqual([{ kind: 'list' }])
  })
})

describe.each(['stdio', 'http'] as const)('live sessions over %s', (transport) => {
  it.each(kinds)('are listed, read and watched by the client %s', async (kind) => {
    const updates: string[] = []
    const abilities = { onUpdate: (what: string) => void updates.push(what) }
    const client: AnyClient =
      transport === 'http'
        ? await (await serve()).join(kind, '', abilities)
        : forTest(await connect(kind, { command: toyBrowserCommand }, abilities))
    expect((await client.resources()).map(({ uri }) => uri)).toEqual(['ui://gossamer/live-view'])

    const id = JSON.parse((await client.call('toy_open', {})).content[0]?.text ?? '').id as string
    const uri = `browser-session://${id}`
    expect(await client.resources()).toMatchObject([
      { uri, mimeType: 'application/json' },
      { uri: `${uri}/screenshot`, mimeType: 'image/jpeg' },
      { uri: `${uri}/snapshot`, mimeType: 'text/plain' },
      { uri: 'ui://gossamer/live-view' },
    ])
    expect((await client.read(uri)).contents).toEqual([
      { uri, mimeType: 'application/json', text: JSON.stringify({ id }) },
    ])
    expect((await client.read(`${uri}/screenshot`)).contents).toEqual([
      { uri: `${uri}/screenshot`, mimeType: 'image/png', blob: pictures[1] },
    ])
    expect((await client.read(`${uri}/snapshot`)).contents).toMatchObject([
      { mimeType: 'text/plain', text: expect.stringContaining(`button "Buy" ${id}`) },
    ])

    await client.watch([uri, `${uri}/screenshot`])
    await client.call('toy_do', { sessionId: id, what: 'touch' })
    await vi.waitFor(() => expect(updates).toEqual(expect.arrayContaining([uri, `${uri}/screenshot`])), 20_000)
    updates.length = 0
    await client.call('toy_do', { sessionId: id, what: 'close' })
    await vi.waitFor(() => expect(updates).toContain('list'), 20_000)
    expect(updates).not.toContain(`${uri}/snapshot`)
    expect((await client.resources()).map((resource) => resource.uri)).toEqual(['ui://gossamer/live-view'])
    await expect(client.read(uri)).rejects.toThrow('SESSION_GONE')
  })
})

describe.each(kinds)('sessions of another team, to the client %s', (kind) => {
  it('are neither listed nor readable nor notified', async () => {
    const { browser, join } = await serve()
    const updates = { own: [] as string[], other: [] as string[] }
    const own = await join(kind, '', { onUpdate: (what) => void updates.own.push(what) })
    const other = await join(kind, 'other', { onUpdate: (what) => void updates.other.push(what) })
    const session = browser.open('team-a')
    const uri = `browser-session://${session.id}`
    expect((await other.resources()).map((resource) => resource.uri)).toEqual(['ui://gossamer/live-view'])
    await expect(other.read(uri)).rejects.toThrow('JOB_OF_OTHER_TEAM')
    // The other team watches the guessed address too, but is not notified.
    for (const client of [own, other]) await client.watch([uri])
    const theirs = browser.open('team-b')
    await other.watch([`browser-session://${theirs.id}`])
    browser.touch(session)
    browser.touch(theirs)
    await vi.waitFor(() => expect(updates.own).toContain(uri), 20_000)
    await vi.waitFor(() => expect(updates.other).toContain(`browser-session://${theirs.id}`), 20_000)
    expect(updates.own.filter((what) => what !== 'list')).toEqual([uri])
    expect(updates.other.filter((what) => what !== 'list')).toEqual([`browser-session://${theirs.id}`])
  })
})
