import { PassThrough, Readable } from 'node:stream'
import { deserialize, serialize } from 'node:v8'
import type { SessionsElsewhere } from '../../../contracts/cluster-nodes.ts'
import type { Confinement, SessionBounds, SessionRef } from '../../../contracts/session-port.ts'
import { notReached } from '../../../engine/node/forward.ts'
import { eventsOf } from '../../../engine/model/dialect/dialect.ts'
import { siteFinder } from '../../../engine/session/pilot/site-bounds.ts'
import { callsOfSession } from '../../../engine/session/registry/shared-sessions.ts'
import type { OpenSessions } from '../../../engine/session/registry/open-sessions.ts'
import { fail, fromBody, packThrown, type Thrown, unpackThrown } from '../../../kernel/error.ts'

/** Values and errors are copied by structured clone, so the other server must be trusted. */
type Answer = { value: unknown } | { thrown: Thrown }
/** Checks of where a prompt may navigate, sent by the server that holds the session. */
type Question = { id: number; may: 'visit' | 'enter'; url: string }

type Name = Exclude<keyof SessionsElsewhere, 'confine'>
/** All calls except `confine` are one request and one response. */
const calls: readonly Name[] = ['create', 'canRun', 'opened', ...callsOfSession.filter((name) => name !== 'confine')]

type Sent = { name: string; body: Uint8Array; signal?: AbortSignal | undefined }
/** Sends a call to another server; undefined if it has ended. Fails with REMOTE_UNAVAILABLE. */
type Send = (sent: Sent) => Promise<Response | undefined>

/** The sessions of another server: each call is one request. */
export function sessionsThere(send: Send): SessionsElsewhere {
  async function answerTo(name: string, given: unknown[], signal?: AbortSignal): Promise<Response> {
    const response = (await send({ name, body: serialize(given), signal })) ?? notThere()
    if (response.ok) return response
    throw fromBody(response.status, await response.json().catch(() => undefined))
  }
  const call = async (name: string, given: unknown[], signal?: AbortSignal) =>
    valueIn(await answerTo(name, given, signal), signal)
  const carried = calls.map((name) => [
    name,
    (...given: unknown[]) => {
      const last = given.at(-1)
      return last instanceof AbortSignal ? call(name, given.slice(0, -1), last) : call(name, given)
    },
  ])
  return {
    ...(Object.fromEntries(carried) as Pick<SessionsElsewhere, Name>),
    async confine(ref, bounds, signal) {
      const over = new AbortController()
      const until = AbortSignal.any([signal, over.signal])
      const response = await answerTo('confine', [ref, bounds.sites], until)
      if (response.body === null || !isStream(response)) return (await valueIn(response, signal)) as never
      const questions = eventsOf(response.body)
      const hold = JSON.parse((await questions.next()).value as string) as string
      const decide = async () => {
        for await (const asked of questions) {
          const { id, may, url } = JSON.parse(asked) as Question
          const decided = Promise.resolve(may === 'visit' ? bounds.mayVisit(url) : bounds.mayEnter(url))
          void decided.then((allowed) => call('decide', [hold, id, allowed])).catch(() => {})
        }
      }
      // The stream ends with the response.
      decide().catch(() => {})
      return {
        takeRefused: async () => (await call('takeRefused', [hold])) as readonly string[],
        lift: async () => over.abort(),
      }
    },
  }
}

const eventStream = 'text/event-stream'
const isStream = ({ headers }: Response) => headers.get('content-type') === eventStream

async function valueIn(response: Response, signal: AbortSignal | undefined): Promise<unknown> {
  const bytes = await response.arrayBuffer().catch((cause: unknown) => {
    signal?.throwIfAborted()
    return notThere(cause)
  })
  const answer = deserialize(new Uint8Array(bytes)) as Answer
  if ('thrown' in answer) throw unpackThrown(answer.thrown)
  return answer.value
}

const notThere = (cause?: unknown): never =>
  fail('REMOTE_UNAVAILABLE', { message: notReached, hint: 'Try again in a moment.', cause })

/** Bounds of a prompt that runs on another server, which decides where the session may navigate. */
type SessionHold = { questions: Map<number, PromiseWithResolvers<boolean>>; confinement?: Confinement }

/** Answers calls of other servers. Checks the team of the session again. */
export function createSessionAnswers(local: () => Promise<OpenSessions>) {
  const holds = new Map<string, SessionHold>()

  async function valueOf(name: string, given: unknown[], signal: AbortSignal): Promise<unknown> {
    const [hold, id, may] = given as [string, number, boolean]
    if (name === 'takeRefused') return holds.get(hold)?.confinement?.takeRefused() ?? []
    if (name === 'decide') return holds.get(hold)?.questions.get(id)?.resolve(may)
    const known = calls.find((each) => each === name) ?? fail('BAD_REQUEST')
    // The signal, if any, is the last argument.
    const call = (await local())[known] as (...all: unknown[]) => Promise<unknown>
    const value = await call(...given, signal)
    // The bounds must know of a frame before the text that was read in it.
    await Promise.all(
      [...holds.values()].flatMap(({ questions }) => [...questions.values()].map((each) => each.promise)),
    )
    return value
  }

  return async (name: string, body: Uint8Array, signal: AbortSignal): Promise<Response> => {
    const given = deserialize(body) as unknown[]
    try {
      if (name === 'confine') return await confine(await local(), holds, given as [SessionRef, string[]], signal)
      return answered({ value: await valueOf(name, given, signal) })
    } catch (thrown) {
      return answered({ thrown: packThrown(thrown) })
    }
  }
}

const answered = (answer: Answer) => new Response(new Uint8Array(serialize(answer)))

/** The response starts with its id, then sends checks to its reader; the bounds are lifted when it ends. */
async function confine(
  local: OpenSessions,
  holds: Map<string, SessionHold>,
  [ref, sites]: [SessionRef, string[]],
  signal: AbortSignal,
): Promise<Response> {
  const siteOf = await siteFinder()
  const hold: SessionHold = { questions: new Map() }
  const holdId = crypto.randomUUID()
  const out = new PassThrough()
  const say = (what: unknown) => out.write(`data: ${JSON.stringify(what)}\n\n`)
  let count = 0

  async function ask(may: Question['may'], url: string): Promise<boolean> {
    if (out.destroyed) return false
    const id = ++count
    const question = Promise.withResolvers<boolean>()
    hold.questions.set(id, question)
    say({ id, may, url } satisfies Question)
    return question.promise.finally(() => hold.questions.delete(id))
  }
  const end = () => {
    holds.delete(holdId)
    hold.questions.forEach(({ resolve }) => resolve(false))
    hold.confinement?.lift().catch(() => {})
  }
  const bounds: SessionBounds = {
    sites,
    mayVisit: (url) => ask('visit', url),
    mayEnter(url) {
      const site = siteOf(url)
      const may = site === undefined || sites.includes(site)
      if (may) void ask('enter', url)
      return may
    },
  }
  out.once('close', end)
  say(holdId)
  holds.set(holdId, hold)
  try {
    hold.confinement = await local.confine(ref, bounds, signal)
  } catch (thrown) {
    out.destroy()
    throw thrown
  }
  if (signal.aborted) out.destroy()
  const body = Readable.toWeb(out) as ReadableStream<Uint8Array>
  return new Response(body, { headers: { 'content-type': eventStream } })
}
