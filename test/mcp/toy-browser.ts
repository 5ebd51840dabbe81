import { z } from 'zod'
import type { SessionEvent, SessionInfo } from '../../src/contracts/session-port.ts'
import { fail } from '../../src/kernel/error.ts'
import { type AnyOperation, defineOperation } from '../../src/kernel/operation.ts'
import { liveViewApp, sessionResources } from '../../src/surfaces/mcp/live-browser.ts'
import type { McpOptions } from '../../src/surfaces/mcp/server-options.ts'
import { offered, toyOptions } from './toy.ts'

/** Two pictures of one red and one green pixel. */
export const pictures = [
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
] as const

export type Browser = { id: string; teamId: string; frames: number; isOver: boolean }
const Id = z.object({ sessionId: z.string().describe('Session.') })

/** Fake sessions, with operations that open, read, change and close them. */
export function toyBrowser() {
  const browsers: Browser[] = []
  const listeners = new Set<(event: SessionEvent) => void>()
  const notify = (event: SessionEvent) => listeners.forEach((listener) => listener(event))
  const find = (id: string, teamId: string): Browser => {
    const browser = browsers.find((one) => one.id === id) ?? fail('SESSION_NOT_FOUND')
    if (browser.teamId !== teamId) fail('JOB_OF_OTHER_TEAM')
    if (browser.isOver) fail('SESSION_GONE')
    return browser
  }
  const does = {
    open: (teamId: string): Browser => {
      const browser = { id: `s${browsers.length + 1}-${teamId}`, teamId, frames: 0, isOver: false }
      browsers.push(browser)
      notify({ kind: 'list', teamId })
      return browser
    },
    touch: ({ id, teamId }: Browser) => notify({ kind: 'changed', teamId, id }),
    /** Reports that events of any session may have been missed. */
    miss: () => notify({ kind: 'list', teamId: null }),
    close: (browser: Browser) => {
      browser.isOver = true
      notify({ kind: 'list', teamId: browser.teamId })
    },
  }
  const resources = sessionResources({
    sessions: {
      list: async ({ teamId }) =>
        browsers.filter((browser) => browser.teamId === teamId && !browser.isOver).map((browser) => factsOf(browser)),
    },
    events: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  })
  return {
    ...does,
    browsers,
    listeners: () => listeners.size,
    resources,
    operations: operationsOn(find, does),
  }
}

const factsOf = ({ id, teamId }: Browser): SessionInfo => ({
  id,
  kind: 'browser',
  teamId,
  createdAt: Date.UTC(2026, 0, 1),
  lastActivityAt: 0,
  expiresAt: 0,
  streamWebView: true,
})

type Find = (id: string, teamId: string) => Browser

type Does = { open(teamId: string): Browser; touch(browser: Browser): void; close(browser: Browser): void }

function operationsOn(find: Find, does: Does): readonly AnyOperation[] {
  const shared = { effect: 'read', errors: ['SESSION_GONE', 'SESSION_NOT_FOUND', 'JOB_OF_OTHER_TEAM'] } as const
  const example = { sessionId: 's1' }
  return [
    defineOperation({
      ...shared,
      name: 'toy_open',
      route: 'POST /v2/toy/browser',
      title: 'Open',
      about: 'Open a toy browser.',
      example: {},
      input: z.object({}),
      output: z.object({ id: z.string(), liveViewUrl: z.string() }),
      mcp: { app: liveViewApp.uri, data: ({ id, ...urls }) => ({ sessionId: id, ...urls }) },
      run: async (_input, { team }) => ({ id: does.open(team.id).id, liveViewUrl: 'https://live.example/view' }),
    }),
    defineOperation({
      ...shared,
      name: 'browser_frame',
      route: 'GET /v2/toy/:sessionId/frame',
      title: 'Picture',
      about: 'A picture of a toy browser.',
      example,
      input: Id,
      output: z.object({ base64: z.string(), title: z.string(), url: z.string(), tabs: z.array(z.looseObject({})) }),
      mcp: {
        visibility: 'app',
        present: ({ base64 }) => ({ parts: [{ kind: 'image', base64, mimeType: 'image/png' }] }),
        data: ({ title, url, tabs }) => ({ title, url, tabs }),
        resource: { template: 'browser-session://{sessionId}/screenshot', name: 'Picture', mimeType: 'image/jpeg' },
      },
      run: async ({ sessionId }, { team }) => {
        const frame = (find(sessionId, team.id).frames += 1)
        const tab = { id: '1', title: `Shop <b>${frame}</b>`, url: 'https://shop.example/', isCurrent: true }
        const other = { id: '2', title: '', url: 'https://other.example/', isCurrent: false }
        return { base64: pictures[frame % 2] ?? '', title: tab.title, url: tab.url, tabs: [tab, other] }
      },
    }),
    defineOperation({
      ...shared,
      name: 'toy_do',
      route: 'POST /v2/toy/:sessionId/:what',
      title: 'Do',
      about: 'Do something with a toy browser.',
      example: { ...example, what: 'touch' },
      input: Id.extend({ what: z.enum(['touch', 'close']).describe('What.') }),
      output: z.object({}),
      run: async ({ sessionId, what }, { team }) => {
        does[what](find(sessionId, team.id))
        return {}
      },
    }),
    defineOperation({
      ...shared,
      name: 'toy_state',
      route: 'GET /v2/toy/:sessionId/state',
      title: 'State',
      about: 'State of a toy browser.',
      example,
      input: Id,
      output: z.object({ id: z.string() }),
      mcp: {
        tool: false,
        resource: { template: 'browser-session://{sessionId}', name: 'State', mimeType: 'application/json' },
      },
      run: async ({ sessionId }, { team }) => ({ id: find(sessionId, team.id).id }),
    }),
    defineOperation({
      ...shared,
      name: 'toy_snapshot',
      route: 'POST /v2/toy/:sessionId/snapshot',
      title: 'Look',
      about: 'Text of a toy browser.',
      example,
      input: Id,
      output: z.object({ text: z.string() }),
      mcp: {
        present: ({ text }) => ({
          parts: [{ kind: 'page', text, origin: 'https://shop.example/', label: 'snapshot' }],
        }),
        resource: { template: 'browser-session://{sessionId}/snapshot', name: 'Text', mimeType: 'text/plain' },
      },
      run: async ({ sessionId }, { team }) => ({ text: `button "Buy" ${find(sessionId, team.id).id}` }),
    }),
  ]
}

export const browserOptions = (browser: ReturnType<typeof toyBrowser>): McpOptions => ({
  ...toyOptions(),
  ...offered(browser.operations),
  apps: [liveViewApp],
  ...browser.resources,
})
