import type { Ctx } from '../../../kernel/ctx.ts'
import { fail } from '../../../kernel/error.ts'
import type { Diagnosis, JobCase, Parameters, Validation } from './case.ts'
import { type Evidence, gather } from './evidence.ts'
import { type Finding, findingsFor, chooseByModel } from './match.ts'
import { type AskInput, readQuestion } from './question.ts'
import { type Bench, tryOut } from './try-out.ts'
import type { DocsHit } from '../../../contracts/ports.ts'
import { bestPassages } from '../docs/answer-from-docs.ts'
import { unlessAborted } from '../../../util/async.ts'

/** Share of the question's significant words that a page must contain to count as an answer. */
const minCoverage = 0.6
const sureCoverage = 0.85

type DocsAnswer = { says: string; source: string; isSure: boolean }

/** Returns the answer of the documentation to a question, with its source; undefined if there is no answer. */
function fromDocs(hits: readonly DocsHit[], question: string): DocsAnswer | undefined {
  const { coverage = 0 } = hits[0] ?? {}
  const [passage] = coverage < minCoverage ? [] : bestPassages(hits, question)
  if (!passage) return undefined
  const { path, firstLine, lastLine } = passage.section
  return { says: passage.text, source: `${path}#L${firstLine}-L${lastLine}`, isSure: coverage >= sureCoverage }
}

export type SupportAnswer = {
  answer: string
  confidence: 'high' | 'medium' | 'low'
  /** Parameters to set in the request. */
  fixParameters: Parameters | null
  validation: Validation | null
  /** Reason why nothing was found or nothing helped. */
  feedback: { blockedBy: string; attempted: string[] } | null
  durationMs: number
}
type Answer = Omit<SupportAnswer, 'durationMs'>

const defaultBudgetMs = 60_000
/** Maximum number of findings that are tested. */
const maxTried = 4

/**
 * Explains why a job of the team failed and what helps, from its jobs of the last day, the job that the question names
 * by id, and the state of the account and the machine. Advice is tested by scraping again, unless that would change
 * something. Fails with SUPPORT_TIMEOUT after `budgetMs`; the error contains the findings so far.
 */
export async function askSupport(input: AskInput, ctx: Ctx, budgetMs = defaultBudgetMs): Promise<SupportAnswer> {
  const late = AbortSignal.timeout(budgetMs)
  const signal = AbortSignal.any([ctx.signal, late])
  const bench: Bench = { scrapes: 0, endsAt: Date.now() + budgetMs, signal, ctx }
  const startedAt = Date.now()
  const timed = <T>(answer: T) => ({ ...answer, durationMs: Date.now() - startedAt })
  const soFar: { answer: Answer } = { answer: open('The time was up before the evidence was read.', []) }
  try {
    signal.throwIfAborted()
    return timed(
      await unlessAborted(
        signal,
        diagnose(input, bench, (answer) => void (soFar.answer = answer)),
      ),
    )
  } catch (thrown) {
    if (!late.aborted || ctx.signal.aborted) throw thrown
    return fail('SUPPORT_TIMEOUT', { details: timed(soFar.answer), cause: thrown })
  }
}

async function diagnose(input: AskInput, bench: Bench, note: (answer: Answer) => void): Promise<Answer> {
  const { ctx, signal } = bench
  const question = readQuestion(input)
  const evidence = await gather(ctx.ports, input.question, question, ctx)
  if (evidence.unknownId !== undefined) return unknownJob(evidence.unknownId, evidence)
  const passage = question.asksHow ? fromDocs(evidence.hits, input.question) : undefined
  if (passage) return documented(passage)
  const found = await findingsFor(question, evidence)
  const [best] = found
  if (!best) return nothingFound(evidence, input.question)
  const which = (job: JobCase | undefined) => (job && !question.named.ids.includes(job.id) ? nameOf(job) : '')
  note(withName(inPart(best), which(best.job)))
  const near = found.filter(({ job }) => job === undefined || best.job === undefined || job.id === best.job.id)
  const { findings, reword } = await chooseByModel(near, input.question, { ...ctx, signal })
  const { answer, job } = await tryFindings(findings, { bench, reword, evidence, question: input.question })
  return withName(answer, which(job))
}

/** Says which job an answer is about, if the question does not name its id. */
function nameOf({ id, endpoint, createdAt }: JobCase): string {
  return `Job ${id} (${endpoint.replace('_', ' ')}, ${new Date(createdAt).toISOString().slice(11, 16)} UTC): `
}

const withName = (answer: Answer, name: string): Answer => ({ ...answer, answer: `${name}${answer.answer}` })

type Trying = { bench: Bench; reword: (says: string) => string; evidence: Evidence; question: string }

/**
 * Answers with the first finding that a test confirms, that cannot be tested, or whose failed test shows another
 * reason; returns its job as well.
 */
async function tryFindings(
  findings: readonly Finding[],
  trying: Trying,
): Promise<{ answer: Answer; job: JobCase | undefined }> {
  const { bench, reword, evidence, question } = trying
  const failed: { finding: Finding; validation: Validation }[] = []
  for (const finding of findings.slice(0, maxTried)) {
    const { diagnosis, job } = finding
    if (!diagnosis.trial || !job) return { answer: untried(finding, trying), job }
    const { validation, outcome } = await tryOut(diagnosis, job, bench)
    if (validation.result !== 'failure') return { answer: held(finding, validation, reword), job }
    const known = diagnosis.trial.kind === 'scrape' && outcome ? diagnosis.trial.otherwise?.(outcome) : undefined
    if (known) return { answer: confirmed(known, validation), job }
    failed.push({ finding, validation })
  }
  const [first] = failed
  return first
    ? { answer: notHelped(first, failed, evidence), job: first.finding.job }
    : { answer: nothingFound(evidence, question), job: undefined }
}

/** Nests page options in `scrapeOptions` for a page of a crawl, as its request does. */
function placed(parameters: Parameters | undefined, job: JobCase | undefined): Parameters | null {
  if (!parameters) return null
  return job?.pageOf === 'crawl' ? { scrapeOptions: parameters } : parameters
}

const nothingToTry: Validation = {
  tested: false,
  result: 'skipped',
  evidence: 'This follows from the records; there was nothing to run again.',
}

function untried({ diagnosis, job, isVague }: Finding, { reword, evidence, question }: Trying): Answer {
  const { says, parameters } = diagnosis
  // A finding without a job explains an error code, so the documentation would only repeat it.
  const passage = isVague && job ? fromDocs(evidence.hits, question) : undefined
  return {
    answer: `${sentences(reword(says), parameters ? 'This was not tested.' : '')}${passage?.isSure ? ` ${theDocs(passage)}` : ''}`,
    confidence: parameters || isVague ? 'medium' : 'high',
    fixParameters: placed(parameters, job),
    validation: nothingToTry,
    feedback: null,
  }
}

/** Answers with a finding whose test helped, or was skipped. */
function held({ diagnosis, job }: Finding, validation: Validation, reword: Trying['reword']): Answer {
  const { says, parameters, trial } = diagnosis
  const confirms = trial?.kind === 'scrape' ? trial.confirms : undefined
  const isSure = validation.result === 'success'
  return {
    answer: sentences(
      reword(says),
      isSure
        ? (confirms ?? 'This was tested just now, and it works.')
        : `This was not tested: ${uncapital(validation.evidence)}`,
    ),
    confidence: isSure ? 'high' : 'medium',
    fixParameters: placed(parameters, job),
    validation,
    feedback: null,
  }
}

/** Answers with the reason that a test found, although the advice did not help. */
const confirmed = ({ says }: Diagnosis, validation: Validation): Answer => ({
  answer: sentences(says, 'This was tested just now.'),
  confidence: 'high',
  fixParameters: null,
  validation,
  feedback: null,
})

function notHelped(
  { finding, validation }: { finding: Finding; validation: Validation },
  failed: readonly { finding: Finding; validation: Validation }[],
  evidence: Evidence,
): Answer {
  return {
    answer: sentences(finding.diagnosis.says, 'That was tried, and it did not help.'),
    confidence: 'low',
    fixParameters: null,
    validation,
    feedback: {
      blockedBy: 'What usually helps did not help when it was tried.',
      attempted: [...examined(evidence), ...failed.map((each) => `${each.finding.rule}: ${each.validation.evidence}`)],
    },
  }
}

/** Answers a question about the program from its documentation. */
const documented = ({ says, source, isSure }: DocsAnswer): Answer => ({
  answer: `${says}\n\nSource: ${source}.`,
  confidence: isSure ? 'high' : 'medium',
  fixParameters: null,
  validation: null,
  feedback: null,
})

const inPart = ({ diagnosis, job }: Finding): Answer => ({
  answer: sentences(diagnosis.says, 'The time was up before this was tested.'),
  confidence: 'medium',
  fixParameters: placed(diagnosis.parameters, job),
  validation: { tested: false, result: 'skipped', evidence: 'The time was up.' },
  feedback: null,
})

/** Answers a question about an unknown id: an explanation of another job would be misleading. */
const unknownJob = (id: string, evidence: Evidence): Answer =>
  open(
    `No stored job of your team, and no session that ended in the last 24 hours, has the id ${id}.`,
    examined(evidence),
    'Use the API key that started it, or list recent ids with activity.',
  )

function nothingFound(evidence: Evidence, question: string): Answer {
  const nothing = 'Nothing in the records of the last 24 hours fits the question.'
  const stuck = open(
    nothing,
    examined(evidence),
    'Ask again with the id or the URL of the job, what you sent and what was returned.',
  )
  const documentation = fromDocs(evidence.hits, question)
  return documentation ? { ...stuck, answer: `${nothing} ${theDocs(documentation)}` } : stuck
}

const theDocs = ({ says }: DocsAnswer) => `The documentation says:\n\n${says}`

const open = (blockedBy: string, attempted: string[], advice = 'Ask again with the id of the job.'): Answer => ({
  answer: sentences(`${blockedBy}`, advice),
  confidence: 'low',
  fixParameters: null,
  validation: null,
  feedback: { blockedBy, attempted },
})

/** Lists the evidence that was examined. */
function examined({ jobs, refusals, failed, facts, pages }: Evidence): string[] {
  const { credits, load } = facts
  return [
    `jobs of the last 24 hours: examined ${jobs.length}, ${failed} failed`,
    `account: ${credits.used} credits used${credits.limit === undefined ? '' : ` of ${credits.limit}`}, ${load.active} of ${load.max} slots in use`,
    `machine: ${facts.hasBrowser ? 'a' : 'no'} browser, ${facts.hasModel ? 'a' : 'no'} language model`,
    `refused calls: ${refusals.length}`,
    `documentation: ${pages.join(', ') || 'no page covers it'}`,
  ]
}

const sentences = (...texts: readonly string[]) => texts.join(' ').replace(/\s+/g, ' ').trim()
const uncapital = (text: string) => text.charAt(0).toLowerCase() + text.slice(1)
