import type { SessionAction } from '../../src/contracts/render-port.ts'
import type {
  CodeResult,
  Language,
  SessionInfo,
  SessionRef,
  Sessions,
  SessionRequest,
} from '../../src/contracts/session-port.ts'
import { type ErrorCode, failure } from '../../src/kernel/error.ts'
import { noon } from '../helpers/fakes.ts'

const keys = { cdp: 'c', view: 'v', control: 'k' }
const ran: CodeResult = {
  success: true,
  stdout: 'printed\n',
  result: 'printed\n',
  lastValue: '42',
  stderr: '',
  exitCode: 0,
  killed: false,
}

const refuse = (code: ErrorCode): never => {
  throw failure(code)
}

/** Sessions in memory, which record their calls. */
export function fakeSessions() {
  const requests: SessionRequest[] = []
  const jobs: (Parameters<Sessions['execute']>[1] & { id: string })[] = []
  const acted: SessionAction[] = []
  const live = new Map<string, SessionInfo>()
  const state = {
    ran,
    acts: true,
    refusal: undefined as ErrorCode | undefined,
    failing: undefined as ErrorCode | undefined,
    runs: (_language: Language) => true,
  }
  const own = ({ id, teamId }: SessionRef): SessionInfo => {
    const facts = live.get(id) ?? refuse('SESSION_NOT_FOUND')
    return facts.teamId === teamId ? facts : refuse('JOB_OF_OTHER_TEAM')
  }
  const sessions: Partial<Sessions> = {
    async create(request) {
      if (state.refusal) refuse(state.refusal)
      requests.push(request)
      const { id, kind, teamId, ttlMs, streamWebView } = request
      const times = { createdAt: noon, lastActivityAt: noon, expiresAt: noon + ttlMs }
      live.set(id, { id, kind, teamId, streamWebView, ...times, secrets: keys })
      return own(request)
    },
    find: async (ref) => own(ref),
    canRun: async (language) => state.runs(language),
    async execute(ref, job) {
      if (own(ref).endedAt !== undefined) refuse('SESSION_GONE')
      if (state.failing) refuse(state.failing)
      jobs.push({ id: ref.id, ...job })
      return state.ran
    },
    snapshot: async () => ({ text: 'Shop\nbutton "Next" e1', url: 'https://example.com/', title: 'Shop' }),
    async act(_, acts) {
      acted.push(...acts)
      const text = '+ Page two'
      return { ok: state.acts, done: 1, url: 'https://example.com/', title: 'Shop', text, extracted: [] }
    },
    confine: async () => ({ takeRefused: async () => [], lift: async () => {} }),
    announce: async () => {},
    file: async () => ({ name: 'notes.txt', mediaType: 'text/plain', base64: 'aGk=' }),
    askViewers: async () => 'waiting' as const,
    async close(ref) {
      live.set(ref.id, { ...own(ref), secrets: undefined, endedAt: noon + 90_000 })
      return { durationMs: 90_000, credits: 3 }
    },
    baseUrl: async (callers) => callers,
  }
  return { sessions: sessions as Sessions, requests, jobs, acted, live, state }
}
