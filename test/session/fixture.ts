import { onTestFinished } from 'vitest'
import type { EndReason, SessionRecords, SessionRequest } from '../../src/contracts/session-port.ts'
import type { SessionCallbacks, LiveSession } from '../../src/engine/session/live-session.ts'
import { createSessions } from '../../src/engine/session/registry/open-sessions.ts'
import { tempStore } from '../store/kit.ts'
import { logBook } from '../contracts/fixtures.ts'

export const never = new AbortController().signal
export const second = 1000
export const minute = 60 * second

export const wish = (changes: Partial<SessionRequest> = {}): SessionRequest => ({
  kind: 'browser',
  id: crypto.randomUUID(),
  teamId: 'red',
  keyName: null,
  ttlMs: 10 * minute,
  activityTtlMs: 5 * minute,
  streamWebView: true,
  ...changes,
})

/** A fake for the browser of a session, which the registry only opens and closes. */
function fakeBrowser(callbacks: SessionCallbacks) {
  const gone = Promise.withResolvers<void>()
  const ended: EndReason[] = []
  const work = { started: 0, gate: Promise.resolve() as Promise<unknown> }
  const live: LiveSession = {
    warnings: [],
    gone: gone.promise,
    async execute() {
      work.started += 1
      await work.gate
      return { success: true, stdout: 'ran', result: 'ran', lastValue: null, stderr: '', exitCode: 0, killed: false }
    },
    snapshot: async () => ({ text: 'page', url: '', title: '' }),
    act: async () => ({ ok: true, done: 1, url: '', title: '', text: '', extracted: [] }),
    confine: async () => ({ takeRefused: async () => [], lift: async () => {} }),
    announce() {},
    file: () => ({ name: 'a', mediaType: 'text/plain', base64: '' }),
    askViewers: async () => 'waiting' as const,
    screenshot: async () => ({ base64: '', mimeType: 'image/jpeg' }),
    tabs: async () => [],
    doing: () => undefined,
    timeline: () => [],
    endpoint: async (use) => ({ kind: use === 'cdp' ? 'cdp' : 'view', role: use }) as never,
    async close(why) {
      ended.push(why)
      gone.resolve()
    },
  }
  return { live, callbacks, ended, work, die: gone.resolve }
}
type FakeBrowser = ReturnType<typeof fakeBrowser>

type Store = Awaited<ReturnType<typeof tempStore>>['store']
type SetUp = {
  maxSessions?: number
  /** True if teams other than the caller's may open sessions. */
  hasOthers?: boolean
  maxOfTeam?: number
  store?: Store
  /** Fault of the database. */
  broken?: Partial<SessionRecords>
}

export async function setUp({ maxSessions = 3, hasOthers = false, maxOfTeam, store: shared, broken }: SetUp = {}) {
  const { store } = shared ? { store: shared } : await tempStore({ clock: { now: Date.now } })
  const browsers: FakeBrowser[] = []
  const opening = { fails: undefined as Error | undefined, gate: Promise.resolve() as Promise<unknown> }
  const sessions = createSessions({
    nodeId: null,
    canRun: async () => true,
    records: { ...store.sessions, ...broken },
    jobs: store.jobs,
    async open(_, callbacks) {
      await opening.gate
      if (opening.fails) throw opening.fails
      const browser = fakeBrowser(callbacks)
      browsers.push(browser)
      return browser.live
    },
    maxSessions,
    limitsOf: async () => ({ maxSessions: maxOfTeam, disabled: false, stoppedAt: -Infinity }),
    hasOthers: async () => hasOthers,
    ownBaseUrl: async () => 'http://127.0.0.1:1',
    clock: { now: Date.now },
    log: logBook().log,
  })
  onTestFinished(() => sessions.end())
  return { sessions, browsers, opening, store }
}

export const ref = ({ id, teamId }: { id: string; teamId: string }) => ({ id, teamId })
export const code = { code: '1', language: 'node', timeoutMs: 1000 } as const
