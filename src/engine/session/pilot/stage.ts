import type { SessionAction } from '../../../contracts/render-port.ts'
import type { Confinement } from '../../../contracts/session-port.ts'
import type { Ctx } from '../../../kernel/ctx.ts'
import { sanitiseLine } from '../../../util/sanitise-text.ts'
import { type PersonNeeded, runActions } from '../browser-sessions.ts'
import { type Bounds, createBounds } from './site-bounds.ts'

export type Page = { url: string; title: string; text: string }
/** Result of actions. `text` may quote the page and is then untrusted. */
export type Performed = {
  ok: boolean
  text: string
  acts: string[]
  extracted: string[]
  needsPerson?: PersonNeeded | undefined
}
/** Session of a task, confined to the task's bounds. */
export type Stage = {
  look(): Promise<Page>
  perform(acts: readonly SessionAction[]): Promise<Performed>
  /** Asks a person, and lifts the bounds meanwhile: people are responsible for their own actions. */
  askPerson(message: string): Promise<PersonNeeded>
}
type Place = { sessionId: string; prompt: string; maxCharacters: number }
type Context = Omit<Place, 'prompt'> & {
  ctx: Ctx
  bounds: Bounds
  confinement: Confinement
  page: Page
}

const foreignPage: Page = {
  url: '',
  title: '',
  text: 'This tab shows a page of a site that the task does not name; it is not shown. Go back, or switch to another tab.',
}

export async function onStage<T>({ prompt, ...place }: Place, ctx: Ctx, work: (stage: Stage) => Promise<T>) {
  const page = await snapshotOf(place, ctx)
  const bounds = await createBounds(prompt, page.url)
  const confine = () => ctx.ports.sessions.confine(refOf(place, ctx), bounds, ctx.signal)
  const context: Context = { ...place, ctx, bounds, page, confinement: await confine() }
  try {
    return await work({
      look: () => look(context),
      perform: (acts) => perform(context, acts),
      async askPerson(message) {
        await context.confinement.lift()
        const nothing = [{ type: 'wait', milliseconds: 0 }] as const
        const asked = await runActions({ sessionId: place.sessionId, acts: nothing, askPerson: message }, ctx)
        context.confinement = await confine()
        return asked.needsPerson ?? { reason: 'asked', outcome: 'done', message }
      },
    })
  } finally {
    await context.confinement.lift()
  }
}

const refOf = ({ sessionId }: Pick<Place, 'sessionId'>, { team }: Ctx) => ({ id: sessionId, teamId: team.id })

const snapshotOf = ({ maxCharacters, ...place }: Omit<Place, 'prompt'>, ctx: Ctx): Promise<Page> =>
  ctx.ports.sessions.snapshot(refOf(place, ctx), { maxCharacters }, ctx.signal)

async function look(context: Context): Promise<Page> {
  const { ctx, bounds, page } = context
  const { text, url, title } = await snapshotOf(context, ctx).catch(async () => {
    ctx.signal.throwIfAborted()
    // The tab may have just closed, which makes another one current.
    await ctx.ports.sessions.act(refOf(context, ctx), [{ type: 'wait', milliseconds: 200 }], ctx.signal)
    return snapshotOf(context, ctx)
  })
  context.page = { text, title, url: url || page.url }
  return bounds.reads(context.page.url) ? context.page : foreignPage
}

async function perform(context: Context, acts: readonly SessionAction[]): Promise<Performed> {
  const { sessions } = context.ctx.ports
  const all: Performed = { ok: true, text: '', acts: [], extracted: [] }
  for (const act of acts) {
    const words = actInWords(act)
    await sessions.announce(refOf(context, context.ctx), words)
    const { ok, text, extracted, needsPerson } = await performOne(context, act)
    Object.assign(all, { ok, text: [all.text, text].filter(Boolean).join('\n') })
    all.acts.push(words)
    all.extracted.push(...extracted)
    if (needsPerson) all.needsPerson = needsPerson
    if (!ok) break
  }
  return all
}

async function performOne(context: Context, act: SessionAction): Promise<Omit<Performed, 'acts'>> {
  const { ctx, sessionId, bounds, confinement, page } = context
  const why = bounds.refusal(act, page.url)
  if (why !== undefined) return { ok: false, text: `${act.type} was not done: ${why}.`, extracted: [] }
  const run = () => runActions({ sessionId, acts: [act] }, ctx)
  const { ok, url, text, extracted, ...rest } = await bounds.throughNamedLink(linkOf(act, page.text), run)
  const needsPerson = 'needsPerson' in rest ? rest.needsPerson : undefined
  context.page = { ...page, url: url || page.url, text: `${page.text}\n${text}` }
  const shown = bounds.reads(context.page.url) ? { text, extracted } : { text: foreignPage.text, extracted: [] }
  const refused = (await confinement.takeRefused()).map((each) => refusedLine(each))
  return { ...shown, ok, text: [shown.text, ...new Set(refused)].filter(Boolean).join('\n'), needsPerson }
}

const refusedLine = (url: string) =>
  `The page tried to open ${sanitiseLine(URL.parse(url)?.host ?? '').slice(0, 100)}, a site that the task does not name: this was blocked.`

function linkOf(act: SessionAction, shown: string): string | undefined {
  if (act.type !== 'click' && act.type !== 'doubleClick') return undefined
  if (!/^e\d+$/.test(act.target)) return act.target.replace(/^(?:link|button)\b/i, '').replace(/["'“”]|\s#\d+$/g, '')
  return new RegExp(`"([^"\\n]*)" ${act.target}\\b`).exec(shown)?.[1]
}

/** Describes an action in our own words, without typed text or page text. */
function actInWords(each: SessionAction): string {
  if (each.type === 'press') return `press ${/^[\w+]{2,30}$/.test(each.key) ? each.key : 'a key'}`
  if (each.type === 'tab') return `${each.do} a tab`
  const target = 'target' in each ? each.target : undefined
  return target !== undefined && /^e\d+$/.test(target) ? `${each.type} ${target}` : each.type
}
