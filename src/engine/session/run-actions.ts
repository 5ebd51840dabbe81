import type { SessionAction } from '../../contracts/render-port.ts'
import type { AskUntil } from '../../contracts/session-port.ts'
import type { Ctx } from '../../kernel/ctx.ts'
import { sessionUrls } from './browser-sessions.ts'

export type ActionsRequest = {
  sessionId: string
  url?: string | undefined
  acts?: readonly SessionAction[] | undefined
  askPerson?: string | undefined
  keep?: boolean | undefined
}
/** Task for a person. With outcome `done` the user has confirmed it; otherwise they can do it at `url`. */
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

/** Runs actions, and asks the user for what only a person can do; a login is only reported to the model. */
export async function runActions({ keep, url, acts = [], ...request }: ActionsRequest, ctx: Ctx) {
  const first: SessionAction[] = url === undefined ? [] : [{ type: 'navigate', url, isFirst: true }]
  const all = [...first, ...acts]
  const done = await perform({ ...request, acts: all }, ctx)
  if (keep === false) await ctx.ports.sessions.close({ id: request.sessionId, teamId: ctx.team.id })
  return done
}

async function perform({ sessionId, acts = [], askPerson }: ActionsRequest, ctx: Ctx) {
  const asked = askPerson === undefined ? undefined : await ask(sessionId, 'asked', askPerson, ctx)
  if (asked && asked.outcome !== 'done') return { ...noActionsRun, needsPerson: asked }
  const { wants, ...result } = await act(sessionId, acts, ctx)
  const isAtIt = wants === 'login' && acts.some(({ type }) => type === 'fill' || type === 'type')
  if (wants === undefined || isAtIt) return { ...plain(result), ...(asked && { needsPerson: asked }) }
  if (wants === 'login') return { ...plain(result), needsPerson: await waiting(sessionId, wants, requests.login, ctx) }
  const captcha = await ask(sessionId, wants, requests.captcha, ctx)
  if (captcha.outcome !== 'done') return { ...plain(result), needsPerson: captcha }
  const after = await act(sessionId, [{ type: 'wait', milliseconds: 0 }], ctx)
  return {
    ...plain(result),
    url: after.url,
    title: after.title,
    text: `${result.text}\n${after.text}`,
    needsPerson: captcha,
  }
}

const noActionsRun = { ok: false, done: 0, url: '', title: '', text: '', extracted: [] as string[] }
const plain = ({ extracted, screenshots, ...result }: Omit<Awaited<ReturnType<typeof act>>, 'wants'>) => ({
  ...result,
  extracted: [...extracted],
  ...(screenshots && { screenshots: [...screenshots] }),
})

async function act(id: string, actions: readonly SessionAction[], { ports, team, signal, pictureSide: maxSide }: Ctx) {
  const fitting = actions.map((each) => (each.type === 'screenshot' ? { ...each, maxSide } : each))
  const { files, ...result } = await ports.sessions.act({ id, teamId: team.id }, fitting, signal)
  const uriOf = (file: string) => `browser-session://${id}/files/${file}`
  return { ...result, ...(files && { files: files.map((file) => ({ ...file, uri: uriOf(file.id) })) }) }
}

async function ask(id: string, reason: PersonNeeded['reason'], message: string, ctx: Ctx): Promise<PersonNeeded> {
  const request = await waiting(id, reason, message, ctx)
  if (request.url === undefined) return request
  return { ...request, outcome: await answerOf({ id, message, url: request.url }, ctx) }
}

/** Returns the first answer, from the person at the client or a viewer of the live view. */
async function answerOf({ id, message, url }: { id: string; message: string; url: string }, ctx: Ctx) {
  const { ports, team, askPerson } = ctx
  const settled = new AbortController()
  const signal = AbortSignal.any([ctx.signal, settled.signal])
  const inView = (until: AskUntil) => ports.sessions.askViewers({ id, teamId: team.id }, { message, until }, signal)
  if (!askPerson) return inView('watched')
  const atClient = async () => {
    const answer = await askPerson({ message, url }, signal)
    return answer === 'unsupported' ? inView('watched') : answer
  }
  const answers = [atClient(), inView('answered')]
  try {
    return await Promise.race(answers)
  } finally {
    // Withdraws the other request.
    settled.abort(new Error('It was answered elsewhere.'))
    void Promise.allSettled(answers)
  }
}

async function waiting(id: string, reason: PersonNeeded['reason'], message: string, ctx: Ctx): Promise<PersonNeeded> {
  const { ports, team, baseUrl } = ctx
  const facts = await ports.sessions.find({ id, teamId: team.id })
  const { interactiveLiveViewUrl: url } = sessionUrls(facts, await ports.sessions.baseUrl(baseUrl))
  return { reason, outcome: 'waiting', message, ...(url !== undefined && { url }) }
}
