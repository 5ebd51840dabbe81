import { type CarriedCall, carriedCalls } from '../../../contracts/cluster-nodes.ts'
import type {
  Confinement,
  Language,
  SessionBounds,
  SessionEvent,
  SessionEvents,
  SessionInfo,
  SessionRef,
  SessionRequest,
} from '../../../contracts/session-port.ts'
import { siteFinder } from '../../../engine/session/pilot/site-bounds.ts'
import type { OpenSessions } from '../../../engine/session/registry/open-sessions.ts'
import { type EndpointFacts, factsOf } from '../../../engine/node/node-endpoint.ts'
import type { OfTeam } from '../../../contracts/page-content.ts'
import { fail } from '../../../kernel/error.ts'
import type { Call } from '../rpc.ts'

type Held = { hold: string }

/** What one server asks of another that holds sessions. The team of a session is checked there once more. */
export type SessionCalls = {
  carry(asked: { name: CarriedCall; given: readonly unknown[] }, signal: AbortSignal): Promise<unknown>
  create(request: SessionRequest, signal: AbortSignal): Promise<SessionInfo>
  canRun(asked: { language: Language; teamId: string }): Promise<boolean>
  opened(asked: { teamId: string }): Promise<SessionInfo[]>
  endpoint(asked: { secret: string }): Promise<(EndpointFacts & OfTeam) | undefined>
  /** The answer lifts the confinement. */
  confine(asked: Held & { ref: SessionRef; sites: readonly string[] }, signal: AbortSignal): Promise<() => void>
  takeRefused(asked: Held): Promise<readonly string[]>
  /** Has what happens to the sessions told, until the answer is called. */
  watch(asked: {}): Promise<() => void>
}
/** What the server that holds sessions asks of the other: of a prompt that is carried out there, and to tell what happens. */
export type BackCalls = {
  mayVisit(asked: Held & { url: string }): Promise<boolean>
  entered(asked: Held & { url: string }): Promise<void>
  told(asked: SessionEvent): Promise<void>
}

/** Those that need no session of this server, nor what holds them. */
type Unopened = Pick<SessionCalls, 'watch'>
export type OpenedCalls = Omit<SessionCalls, keyof Unopened>

export const watchCalls = (events: SessionEvents, back: Call<BackCalls>): Unopened => ({
  watch: async () => events((event) => void back('told', event).catch(() => {})),
})

const isCarried = (name: string): name is CarriedCall => carriedCalls.some((known) => known === name)

/** Answers the calls of one other server. */
export function sessionCalls(local: OpenSessions, back: Call<BackCalls>): OpenedCalls {
  const confinements = new Map<string, Confinement>()
  return {
    async carry({ name, given }, signal) {
      if (!isCarried(name)) fail('BAD_REQUEST')
      // Each takes the signal last, or takes none.
      return (local[name] as (...all: unknown[]) => Promise<unknown>)(...given, signal)
    },
    create: (request, signal) => local.create(request, signal),
    canRun: ({ language, teamId }) => local.canRun(language, teamId),
    opened: async ({ teamId }) => local.opened(teamId),
    async endpoint({ secret }) {
      const endpoint = await local.endpoint(secret)
      return endpoint && { ...factsOf(endpoint), teamId: endpoint.teamId }
    },
    async confine({ hold, ref, sites }, signal) {
      const confinement = await local.confine(ref, await boundsOf(hold, sites, back), signal)
      confinements.set(hold, confinement)
      return () => {
        confinements.delete(hold)
        confinement.lift().catch(() => {})
      }
    },
    takeRefused: async ({ hold }) => (await confinements.get(hold)?.takeRefused()) ?? [],
  }
}

/** Which frames may be entered is known from the start; who set the bounds hears of those that are, before the answer. */
async function boundsOf(hold: string, sites: readonly string[], back: Call<BackCalls>): Promise<SessionBounds> {
  const siteOf = await siteFinder()
  return {
    sites,
    mayVisit: (url) => back('mayVisit', { hold, url }),
    mayEnter(url) {
      const site = siteOf(url)
      const may = site === undefined || sites.includes(site)
      if (may) back('entered', { hold, url }).catch(() => {})
      return may
    },
  }
}
