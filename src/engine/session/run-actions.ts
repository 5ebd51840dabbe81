import type { SessionAction, ActionsResult } from '../../contracts/page-action.ts'
import type { Ctx } from '../../kernel/ctx.ts'
import { sessionUrls } from './create.ts'

export type ActionsRequest = {
  sessionId: string
  /** Gone to first. */
  url?: string | undefined
  acts?: readonly SessionAction[] | undefined
  /** What the user must do first. */
  askPerson?: string | undefined
  /** False: the session ends after the acts. */
  keep?: boolean | undefined
}
/** With outcome `done` the user has confirmed; otherwise `url` is where they can do it. */
export type PersonNeeded = {
  reason: 'asked' | 'captcha' | 'login'
  outcome: 'done' | 'declined' | 'waiting'
  message: string
  url?: string | undefined
}

const requests = {
  captcha: 'The page requires a captcha to be solved.',
  login: 'The page requires a login.',
} as const

/**
 * Runs actions in a session. What only a person can do is asked of the user if the client can show them a URL, and reported
 * to the model otherwise. A login is only reported: the model may have the credentials.
 */
export async function runActions({ keep, url, acts = [], ...request }: ActionsRequest, ctx: Ctx) {
  const first: SessionAction[] = url === undefined ? [] : [{ type: 'navigate', url }]
  const all = [...first, ...acts]
  const done = await perform({ ...request, acts: all }, ctx)
  if (keep === false) await ctx.ports.sessions.close({ id: request.sessionId, teamId: ctx.team.id })
  return done
}

async function perform({ sessionId, acts = [], askPerson }: ActionsRequest, ctx: Ctx) {
  const asked = askPerson === undefined ? undefined : await ask(sessionId, 'asked', askPerson, ctx)
  if (asked && asked.outcome !== 'done') return { ...noActionsRun, needsPerson: asked }
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

const noActionsRun = { ok: false, done: 0, url: '', title: '', text: '', extracted: [] as string[] }
const plain = ({ extracted, ...result }: Omit<ActionsResult, 'wants'>) => ({ ...result, extracted: [...extracted] })

const act = (id: string, actions: readonly SessionAction[], { ports, team, signal }: Ctx) =>
  ports.sessions.act({ id, teamId: team.id }, actions, signal)

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
