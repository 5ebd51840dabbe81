import { failure } from '../../kernel/error.ts'
import type { AgentResult } from '../../schema/workflow-schemas.ts'
import { endEvents } from '../extract/start-extract.ts'
import type { WorkflowDefinition, WorkflowRun } from '../workflow/run-workflow.ts'
import { type Act, type Answer, answerFromNotes, decide, maxAtOnce, takeNotes, textAnswer } from './questions.ts'
import { canSearch, findPages, plainQuery, readPages, type Searched } from './search-and-read.ts'
import { type AgentJob, type AgentPorts, isRead, openJob, type ReadablePage, spend } from './agent-job.ts'
import { fieldsOf, missingFrom, mergePages } from '../extract/merge.ts'
import { completed } from '../model/page/complete.ts'
import { leavesOf } from '../model/page/json-by-model.ts'
import { answerFrom } from '../understand/questions.ts'
import { rank } from '../../util/rank.ts'

/** Answers a question from the web: searches, reads, follows links, and names the pages that support each part. */
export const agentWorkflow = (ports: AgentPorts): WorkflowDefinition => ({
  run: (workflow) => answer(ports, workflow),
  events: (workflow, end) => endEvents(workflow, end, ports.clock.now()),
})

/** Maximum number of pages to read without a model, in addition to those that the caller named. */
const builtInPages = 6
/** Maximum number of turns of the model, in addition to one for each page. */
const spareTurns = 8

async function answer(ports: AgentPorts, workflow: WorkflowRun): Promise<AgentResult> {
  const job = openJob(ports, workflow)
  const { input } = job
  const byModel = await spend(job, 'begin', async () => ({ value: ports.model.isSet() }))
  job.candidates.add(
    'caller',
    (input.urls ?? []).map((url) => ({ url, title: '', about: 'Named by the person.' })),
  )
  const searched: Searched[] = []
  await readCallersPages(job, byModel)
  const stopped = byModel ? await research(job, searched) : await searchOnce(job, searched)
  failWithoutSearch(job, searched)
  if (job.unread.length > 0)
    workflow.warn(`The language model could not read ${job.unread.length} of the pages (${job.unread[0]}).`)
  const trouble = stopped ?? (job.notes.length === 0 ? job.unread[0] : undefined)
  const answered = byModel && trouble === undefined ? await answerFromNotes(job) : { error: trouble ?? '' }
  if (!('error' in answered)) return resultOf(job, answered, 'model')
  workflow.warn(
    byModel
      ? `The language model could not continue (${answered.error}); the answer was put together by the built-in method.`
      : 'No language model is configured: the answer was put together by the built-in method, from passages of the pages.',
  )
  return resultOf(job, builtInAnswer(job), 'builtin')
}

/** Share of the time reserved for the answer. */
const answerShare = 0.15
/** Number of tokens reserved for the answer. */
const answerTokens = 12_000

/** True if the budget allows another page. Time and tokens needed for the answer are reserved. */
function hasBudget({ meter, limits }: AgentJob): boolean {
  const { pages, credits, tokens, ms } = meter.left()
  return (
    pages > 0 &&
    credits > 0 &&
    tokens > Math.min(answerTokens, limits.tokens / 2) &&
    ms > limits.seconds * 1000 * answerShare
  )
}

/** Reads the caller's own pages first, as many as the budget allows. */
async function readCallersPages(job: AgentJob, byModel: boolean): Promise<void> {
  for (let at = 1; at <= (job.input.urls ?? []).length && hasBudget(job); at += maxAtOnce)
    await read(
      job,
      Array.from({ length: maxAtOnce }, (_, next) => at + next),
      byModel,
    )
}

/**
 * Lets the model search and read until it can answer or the budget is used up. Returns the reason if it had to stop.
 */
async function research(job: AgentJob, searched: Searched[]): Promise<string | undefined> {
  for (let turn = 1; turn <= job.limits.pages + spareTurns && hasBudget(job); turn++) {
    const chosen = await decide(job, turn, searched)
    if (chosen.act === 'stop') return chosen.error
    const act = effectiveAct(job, chosen, searched)
    if (act.act === 'answer') return undefined
    if (act.act === 'search') await searchFor(job, act.query, searched)
    if (act.act === 'read') await read(job, act.numbers, true)
  }
  return undefined
}

/** Returns the action, or the next best one if it would have no effect, so no model can loop. */
function effectiveAct(
  job: AgentJob,
  act: Exclude<Act, { act: 'stop' }>,
  searched: readonly Searched[],
): Exclude<Act, { act: 'stop' }> {
  const { candidates, input } = job
  const open = candidates.best([input.prompt, searched.at(-1)?.query ?? ''].join(' '), maxAtOnce)
  const isNew = (query: string) => query !== '' && !searched.some((before) => before.query === query)
  if (act.act === 'search' && isNew(act.query)) return act
  if (act.act === 'read' && act.numbers.some((number) => candidates.isOpen(number))) return act
  // An answer is only accepted after something was searched or read.
  if (act.act === 'answer' && (job.pages.length > 0 || searched.length > 0)) return act
  const [first] = open
  if (first) return { act: 'read', numbers: [first.number] }
  const query = plainQuery(input.prompt, input.prompt) ?? ''
  return canSearch(job) && isNew(query) ? { act: 'search', query } : { act: 'answer' }
}

/** Works without a model: searches once for the words of the task, and reads the most relevant pages. */
async function searchOnce(job: AgentJob, searched: Searched[]): Promise<undefined> {
  const query = plainQuery(job.input.prompt, job.input.prompt)
  if (canSearch(job) && query !== undefined) await searchFor(job, query, searched)
  for (let round = 0; round * maxAtOnce < builtInPages && hasBudget(job); round++) {
    const best = job.candidates.best(job.input.prompt, Math.min(maxAtOnce, builtInPages - round * maxAtOnce))
    await read(
      job,
      best.map(({ number }) => number),
      false,
    )
  }
  return undefined
}

async function searchFor(job: AgentJob, query: string, searched: Searched[]): Promise<void> {
  await reportStep(job, `Searching for ${query}`)
  searched.push(await findPages(job, query))
}

async function read(job: AgentJob, numbers: readonly number[], byModel: boolean): Promise<void> {
  const chosen = numbers.flatMap((number) => job.candidates.take(number) ?? [])
  if (chosen.length === 0) return
  await reportStep(job, `Reading ${chosen.map(({ url }) => url).join(', ')}`)
  const pages = await readPages(job, chosen)
  if (byModel) for (const page of pages) if (isRead(page) && hasBudget(job)) await takeNotes(job, page)
}

const reportStep = ({ workflow, pages, limits }: AgentJob, doing: string) =>
  workflow.report({ completed: pages.length, total: limits.pages, doing })

/** Fails if no page was requested because every search failed. */
function failWithoutSearch({ pages }: AgentJob, searched: readonly Searched[]): void {
  const [trouble] = searched.flatMap(({ error }) => error ?? [])
  if (pages.length === 0 && trouble !== undefined && searched.every(({ error }) => error !== undefined))
    throw failure('SEARCH_UNAVAILABLE', { message: `No search worked: ${trouble}` })
}

function resultOf(job: AgentJob, content: Answer, llmMode: AgentResult['llmMode']): AgentResult {
  return {
    ...content,
    pages: job.pages.map((page) =>
      isRead(page)
        ? { url: page.url, ...(page.title !== '' && { title: page.title }) }
        : { url: page.requestedUrl, error: page.error },
    ),
    llmMode,
    ...(llmMode === 'model' && job.model !== undefined && { model: job.model }),
    tokensUsed: job.meter.used().tokens,
  }
}

/** Maximum number of passages in an answer. */
const maxPassages = 5
/** Share of the task's words that a page or passage must contain to be relevant. */
const minCoverage = 0.5
/**
 * Share of the best score that a further passage or page must reach to be used too; lower for pages, because one page
 * need not contain everything.
 */
const minScoreShare = { passage: 0.6, page: 0.3 }

/** Creates an answer without a language model: verbatim passages, or the schema filled by the built-in extraction. */
function builtInAnswer({ input, pages }: Pick<AgentJob, 'input' | 'pages'>): Answer {
  const readable = pages.filter(isRead)
  return input.schema ? dataFrom(readable, input, input.schema) : passagesFrom(readable, input.prompt)
}

function passagesFrom(pages: readonly ReadablePage[], prompt: string): Answer {
  const found = pages.flatMap(({ url, markdown }) => {
    const best = answerFrom(markdown, prompt)
    return best ? [{ url, text: best.text, quote: best.quotes.join('\n') }] : []
  })
  const passages = nearest(
    byFit(found, ({ text }) => text, prompt),
    minScoreShare.passage,
  )
  const byText = Map.groupBy(passages, ({ text }) => text)
  return textAnswer(
    [...byText].slice(0, maxPassages).map(([text, cited]) => ({ text, cited })),
    [],
  )
}

/** Returns the values that most sites give, from the relevant pages; if pages differ, all values are reported. */
function dataFrom(
  pages: readonly ReadablePage[],
  { prompt, strictConstrainToURLs }: AgentJob['input'],
  schema: Record<string, unknown>,
): Answer {
  const fits = byFit(pages, ({ title, markdown }) => `${title}\n${markdown}`, prompt)
  // Pages that the caller chose need no common words with the task.
  const near = strictConstrainToURLs ? pages : nearest(fits, minScoreShare.page)
  const { data = {}, sources, disputed } = mergePages(near.map(({ url, filled }) => ({ url, json: filled })))
  const filledPages = near.map(({ url, filled }) => ({ url, leaves: leavesOf(filled) }))
  const statementsOf = (path: string) =>
    filledPages.flatMap(({ url, leaves }) => {
      const leaf = leaves.find((each) => each.path === path)
      return leaf ? [{ says: String(leaf.value), url }] : []
    })
  return {
    data: completed(data, schema).value,
    sources,
    evidence: [],
    conflicts: disputed.map((path) => ({ about: path, statements: statementsOf(path) })),
    notFound: missingFrom(data, fieldsOf(schema)),
  }
}

const nearest = <T>(fits: readonly { item: T; score: number }[], share: number): T[] =>
  fits.filter(({ score }) => score >= (fits[0]?.score ?? 0) * share).map(({ item }) => item)

/** Returns the items relevant to the words, best first. */
function byFit<T>(items: readonly T[], textOf: (item: T) => string, words: string): { item: T; score: number }[] {
  const fits = rank(items.map(textOf), words)
  return items
    .map((item, at) => ({
      item,
      score: (fits[at]?.score ?? 0) * (fits[at]?.coverage ?? 0),
      coverage: fits[at]?.coverage ?? 0,
    }))
    .filter(({ coverage }) => coverage >= minCoverage)
    .toSorted((one, other) => other.score - one.score)
}
