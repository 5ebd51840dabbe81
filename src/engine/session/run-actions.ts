import type { SessionAction, ActionsResult } from '../../contracts/page-action.ts'
import type { Ctx } from '../../kernel/ctx.ts'
import { sessionUrls } from './create.ts'

export type ActionsRequest = {
  sessionId: string
  acts: readonly SessionAction[]
  /** What a person is to do first. */
  askPerson?: string | undefined
}
/** `done`: the person says it is done; otherwise where a person can do it. */
export type PersonNeeded = {
  reason: 'asked' | 'captcha' | 'login'
  outcome: 'done' | 'declined' | 'waiting'
  message: string
  url?: string | undefined
}

const requests = {
  captcha: 'The page wants a captcha to be solved before it goes on.',
  login: 'The page asks somebody to log in.',
} as const

/**
 * Does acts in a session, and tells what came of them. What only a person can do is asked of the person behind the client
 * where the client can show an address, and told to the model where it cannot. A login is only told: the model may know
 * how to log in.
 */
export async function runActions({ sessionId, acts, askPerson }: ActionsRequest, ctx: Ctx) {
  const asked = askPerson === undefined ? undefined : await ask(sessionId, 'asked', askPerson, ctx)
  if (asked && asked.outcome !== 'done') return { ...nothingDone, needsPerson: asked }
  const { wants, ...result } = await act(sessionId, acts, ctx)
  if (wants === undefined) return { ...plain(result), ...(asked && { needsPerson: asked }) }
  if (wants === 'login') return { ...plain(result), needsPerson: await waiting(sessionId, wants, requests.login, ctx) }
  const captcha = await ask(sessionId, wants, requests.captcha, ctx)
  if (captcha.outcome !== 'done') return { ...plain(result), needsPerson: captcha }
  const after = await act(sessionId, [{ type: 'wait', ms: 0 }], ctx)
  return {
    ...plain(result),
    url: after.url,
    title: after.title,
    text: `${result.text}\n${after.text}`,
    needsPerson: captcha,
  }
}

const nothingDone = { ok: false, done: 0, url: '', title: '', text: '', extracted: [] as string[] }
const plain = ({ extracted, ...result }: Omit<ActionsResult, 'wants'>) => ({ ...result, extracted: [...extracted] })

const act = (id: string, acts: readonly SessionAction[], { ports, team, signal }: Ctx) =>
  ports.sessions.act({ id, teamId: team.id }, acts, signal)

async function ask(id: string, reason: PersonNeeded['reason'], message: string, ctx: Ctx): Promise<PersonNeeded> {
  const request = await waiting(id, reason, message, ctx)
  if (request.url === undefined || !ctx.askPerson) return request
  const outcome = await ctx.askPerson({ message, url: request.url }, ctx.signal)
  return outcome === 'unsupported' ? request : { ...request, outcome }
}

async function waiting(
  id: string,
  reason: PersonNeeded['reason'],
  message: string,
  { ports, team, baseUrl }: Ctx,
): Promise<PersonNeeded> {
  const facts = await ports.sessions.find({ id, teamId: team.id })
  const { interactiveLiveViewUrl: url } = sessionUrls(facts, await ports.sessions.baseUrl(baseUrl))
  return { reason, outcome: 'waiting', message, ...(url !== undefined && { url }) }
}
