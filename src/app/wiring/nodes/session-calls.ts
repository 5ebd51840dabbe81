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

/** Response to a call, serialised by structured clone. Only a trusted server may send one. */
type Answer = { value: unknown } | { thrown: Thrown }
/** Question of the server with the session to the server that runs a prompt: may the session open this URL? */
type Question = { id: number; may: 'visit' | 'enter'; url: string }

type Name = Exclude<keyof SessionsElsewhere, 'confine'>
/** Calls of one request and one response. */
const calls: readonly Name[] = ['create', 'canRun', 'opened', ...callsOfSession.filter((name) => name !== 'confine')]

type Sent = { name: string; body: Uint8Array; signal?: AbortSignal | undefined }
/**
 * Sends a call to another server; undefined if that server has ended. Fails with REMOTE_UNAVAILABLE if it does not
 * answer.
 */
type Send = (sent: Sent) => Promise<Response | undefined>

/** The sessions of another server. Each call is one request to it. */
export function sessionsThere(send: Send): SessionsElsewhere {
  async function responseTo(name: string, args: unknown[], signal?: AbortSignal): Promise<Response> {
    const response = (await send({ name, body: serialize(args), signal })) ?? notThere()
    if (response.ok) return response
    throw fromBody(response.status, await response.json().catch(() => undefined))
  }
  const call = async (name: string, args: unknown[], signal?: AbortSignal) =>
    valueIn(await responseTo(name, args, signal), signal)
  const functions = calls.map((name) => [
    name,
    (...args: unknown[]) => {
      const last = args.at(-1)
      return last instanceof AbortSignal ? call(name, args.slice(0, -1), last) : call(name, args)
    },
  ])
  return {
    ...(Object.fromEntries(functions) as Pick<SessionsElsewhere, Name>),
    async confine(ref, bounds, signal) {
      const over = new AbortController()
      const until = AbortSignal.any([signal, over.signal])
      const response = await responseTo('confine', [ref, bounds.sites], until)
      if (response.body === null || !isStream(response)) return (await valueIn(response, signal)) as never
      const questions = eventsOf(response.body)
      const confinementId = JSON.parse((await questions.next()).value as string) as string
      const decide = async () => {
        for await (const question of questions) {
          const { id, may, url } = JSON.parse(question) as Question
          const decided = Promise.resolve(may === 'visit' ? bounds.mayVisit(url) : bounds.mayEnter(url))
          void decided.then((allowed) => call('decide', [confinementId, id, allowed])).catch(() => {})
        }
      }
      // Rejects when the response is aborted, which is how the bounds are lifted.
      decide().catch(() => {})
      return {
        takeRefused: async () => (await call('takeRefused', [confinementId])) as readonly string[],
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

/**
 * Bounds of a session whose prompt runs on another server: the confinement, and the questions that the other server has
 * not answered yet.
 */
type RemoteConfinement = { questions: Map<number, PromiseWithResolvers<boolean>>; confinement?: Confinement }

/** Answers calls of other servers. */
export function createSessionAnswers(local: () => Promise<OpenSessions>) {
  const confinements = new Map<string, RemoteConfinement>()

  async function valueOf(name: string, args: unknown[], signal: AbortSignal): Promise<unknown> {
    const [confinementId, id, may] = args as [string, number, boolean]
    const remote = confinements.get(confinementId)
    if (name === 'takeRefused') return remote?.confinement?.takeRefused() ?? []
    if (name === 'decide') return remote?.questions.get(id)?.resolve(may)
    const known = calls.find((each) => each === name) ?? fail('BAD_REQUEST')
    const call = (await local())[known] as (...all: unknown[]) => Promise<unknown>
    const value = await call(...args, signal)
    // The caller must know the sites of all frames before it gets text that was read in them.
    await Promise.all(
      [...confinements.values()].flatMap(({ questions }) => [...questions.values()].map((each) => each.promise)),
    )
    return value
  }

  return async (name: string, body: Uint8Array, signal: AbortSignal): Promise<Response> => {
    const args = deserialize(body) as unknown[]
    try {
      if (name === 'confine') return await confine(await local(), confinements, args as [SessionRef, string[]], signal)
      return answered({ value: await valueOf(name, args, signal) })
    } catch (thrown) {
      return answered({ thrown: packThrown(thrown) })
    }
  }
}

const answered = (answer: Answer) => new Response(new Uint8Array(serialize(answer)))

/**
 * Confines a session to these sites. The body of the response is a stream: first the id of the confinement, then a
 * question for each URL to decide on. The bounds are lifted when the stream ends.
 */
async function confine(
  local: OpenSessions,
  confinements: Map<string, RemoteConfinement>,
  [ref, sites]: [SessionRef, string[]],
  signal: AbortSignal,
): Promise<Response> {
  const siteOf = await siteFinder()
  const remote: RemoteConfinement = { questions: new Map() }
  const confinementId = crypto.randomUUID()
  const out = new PassThrough()
  const send = (message: unknown) => out.write(`data: ${JSON.stringify(message)}\n\n`)
  let count = 0

  async function ask(may: Question['may'], url: string): Promise<boolean> {
    if (out.destroyed) return false
    const id = ++count
    const question = Promise.withResolvers<boolean>()
    remote.questions.set(id, question)
    send({ id, may, url } satisfies Question)
    return question.promise.finally(() => remote.questions.delete(id))
  }
  const end = () => {
    confinements.delete(confinementId)
    remote.questions.forEach(({ resolve }) => resolve(false))
    remote.confinement?.lift().catch(() => {})
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
  send(confinementId)
  confinements.set(confinementId, remote)
  try {
    remote.confinement = await local.confine(ref, bounds, signal)
  } catch (thrown) {
    out.destroy()
    throw thrown
  }
  if (signal.aborted) out.destroy()
  const body = Readable.toWeb(out) as ReadableStream<Uint8Array>
  return new Response(body, { headers: { 'content-type': eventStream } })
}
