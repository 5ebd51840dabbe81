import { html } from 'htm/preact'
import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { call, usePolled } from '../server-calls.ts'
import { Fault, Outside, CodeBox, kindName } from '../parts.ts'
import { entryOf, playgroundHref, inputFor } from './job-data.ts'

type Diagnosis = {
  answer: string
  confidence: string
  fixParameters: object | null
  validation: { result: string; evidence: string } | null
  feedback: { blockedBy: string; attempted: readonly string[] } | null
}
type Failed = Failure & { error: string }
type Found = Failed & { diagnosis: Diagnosis }

/** Cached diagnoses: each request may visit the page again. */
const diagnoses = new Map<string, Found>()

/** Explains why a call, or a page of a job, failed, and what to change. */
export function Why({ endpoint, id, url }: { endpoint: string; id: string; url: string }): VNode {
  const [failed, setFailed] = useState<Failed>()
  const { value, fault } = usePolled((signal) => diagnose({ endpoint, id, url }, setFailed, signal), 0, `${id} ${url}`)
  const isTried = value !== undefined || fault !== undefined
  return html`
    ${failed && html`<${About} failed=${failed} />`}
    ${!isTried && html`<p class="loading" role="status">Looking into it: the job, the account, the machine and the page itself. This may take a minute.</p>`}
    <${Fault} of=${fault} />
    ${value && html`<${Explanation} found=${value} />`}
  `
}

/** Shows the failed call first, because the diagnosis takes a while. */
async function diagnose(
  { endpoint, id, url }: { endpoint: string; id: string; url: string },
  show: (failed: Failed) => void,
  signal: AbortSignal,
): Promise<Found> {
  const known = diagnoses.get(`${id} ${url}`)
  if (known) {
    show(known)
    return known
  }
  const { target = null, code = '', error = '' } = (await entryOf(id, signal)) ?? {}
  const failed = { endpoint, id, target, page: url, code, error }
  show(failed)
  const body = { question: questionOf(failed), jobId: id }
  const diagnosis = await call<Diagnosis>('POST', '/v2/support/ask', { body, signal })
  const found = { ...failed, diagnosis }
  diagnoses.set(`${id} ${url}`, found)
  return found
}

const trials: Readonly<Record<string, string>> = {
  success: 'Tried, and it works.',
  failure: 'Tried, and it does not help.',
  skipped: 'Not tried.',
}

function About({ failed: { endpoint, target, page, code, error } }: { failed: Failed }): VNode {
  const about = page || target
  return html`
    <p class="where">
      <span class="kind">${kindName(endpoint)}</span> ${about !== null && html`<${Outside} url=${about} />`}
    </p>
    ${code !== '' && html`<p class="facts"><code class="bad-text">${code}</code><span>${error}</span></p>`}
  `
}

function Explanation({ found }: { found: Found }): VNode {
  const { diagnosis } = found
  const { answer, confidence, validation, feedback } = diagnosis
  return html`
    <section class="card" aria-label="Answer">
      <p class="answer-text">${answer}</p>
      <p class="facts faint">
        <span>Confidence: ${confidence}.</span>
        ${validation && html`<span>${trials[validation.result] ?? validation.result} ${validation.evidence}</span>`}
      </p>
    </section>
    ${diagnosis.fixParameters && html`<${Fix} found=${found} fix=${diagnosis.fixParameters} />`}
    ${
      feedback &&
      html`<section>
        <h2>What was looked at</h2>
        <p>${feedback.blockedBy}</p>
        <ul>
          ${feedback.attempted.map((each) => html`<li>${each}</li>`)}
        </ul>
      </section>`
    }
  `
}

function Fix({ found, fix }: { found: Found; fix: object }): VNode {
  const path = playgroundHref(found.endpoint, repairedInput(found, fix) ?? fix)
  return html`<section>
    <div class="bar">
      <h2>Set this</h2>
      <a class="button primary" href=${path}>Try it in the playground</a>
    </div>
    <${CodeBox} label="Parameters" text=${JSON.stringify(fix, undefined, 2)} />
  </section>`
}

/** Failed call, or failed page of a job. */
export type Failure = { endpoint: string; id: string; target: string | null; page: string; code: string }

/** Phrases the question as a person would. */
export function questionOf({ endpoint, target, page, code }: Failure): string {
  const job = `my ${kindName(endpoint)}${target === null ? '' : ` of ${target}`}`
  const what = page === '' ? job : `${page}, a page of ${job},`
  return `Why did ${what} fail${code === '' ? '' : ` with ${code}`}?`
}

/** Input of the failed call with the fix applied; undefined if the original input is not known well enough. */
export function repairedInput({ endpoint, target, page }: Failure, fix: object): object | undefined {
  // Only one page of a batch is known.
  const input = endpoint === 'batch_scrape' && page !== '' ? { urls: [page] } : inputFor({ endpoint, target })
  return input && { ...input, ...fix }
}
