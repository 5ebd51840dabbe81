import { html } from 'htm/preact'
import type { VNode } from 'preact'
import { CodeBox, Fault, Outside, kindName } from '../parts.ts'
import { call, usePolled } from '../server-calls.ts'
import { entryIn, inputFor, playgroundHref, useJobList } from './job-data.ts'

type Diagnosis = {
  answer: string
  confidence: string
  fixParameters: object | null
  validation: { result: string; evidence: string } | null
  feedback: { blockedBy: string; attempted: readonly string[] } | null
}

/** Explains why a call, or a page of a job, failed, and what to change. */
export function Why({ endpoint, id, url = '' }: { endpoint: string; id: string; url?: string }): VNode {
  const list = useJobList({}, 0)
  const { target = null, code = '', error = '' } = entryIn(list.value, id) ?? {}
  const failed = { endpoint, id, target, page: url, code }
  const ask = async (signal: AbortSignal) => (list.value ? diagnose(failed, signal) : undefined)
  const { value, fault = list.fault } = usePolled(ask, 0, list.value ? `${id} ${url}` : '')
  const about = url || target
  return html`
    <p class="where">
      <span class="kind">${kindName(endpoint)}</span> ${about !== null && html`<${Outside} url=${about} />`}
    </p>
    ${code !== '' && html`<p class="facts"><code class="bad-text">${code}</code><span>${error}</span></p>`}
    ${
      value === undefined &&
      fault === undefined &&
      html`<p class="loading" role="status">
        Looking into it: the job, the account, the machine and the page itself. This may take a minute.
      </p>`
    }
    <${Fault} of=${fault} /> ${value && html`<${Explanation} failed=${failed} diagnosis=${value} />`}
  `
}

/** Diagnoses by job and page, which are reused because each request may visit the page again. */
const diagnoses = new Map<string, Diagnosis>()

async function diagnose(failed: Failure, signal: AbortSignal): Promise<Diagnosis> {
  const { id, page } = failed
  const body = { question: questionOf(failed), jobId: id }
  const key = `${id} ${page}`
  const diagnosis = diagnoses.get(key) ?? (await call<Diagnosis>('POST', '/v2/support/ask', { body, signal }))
  diagnoses.set(key, diagnosis)
  return diagnosis
}

const trials: Readonly<Record<string, string>> = {
  success: 'Tried, and it works.',
  failure: 'Tried, and it does not help.',
  skipped: 'Not tried.',
}

function Explanation({ failed, diagnosis }: { failed: Failure; diagnosis: Diagnosis }): VNode {
  const { answer, confidence, validation, feedback, fixParameters: fix } = diagnosis
  return html`
    <section class="card" aria-label="Answer">
      <p class="answer-text">${answer}</p>
      <p class="facts faint">
        <span>Confidence: ${confidence}.</span>
        ${validation && html`<span>${trials[validation.result] ?? validation.result} ${validation.evidence}</span>`}
      </p>
    </section>
    ${
      fix &&
      html`<section>
        <div class="bar">
          <h2>Set this</h2>
          <a class="button primary" href=${playgroundHref(failed.endpoint, repairedInput(failed, fix) ?? fix)}
            >Try it in the playground</a
          >
        </div>
        <${CodeBox} label="Parameters" text=${JSON.stringify(fix, undefined, 2)} />
      </section>`
    }
    ${
      feedback &&
      html`<section>
        <h2>What was examined</h2>
        <p>${feedback.blockedBy}</p>
        <ul>
          ${feedback.attempted.map((each) => html`<li>${each}</li>`)}
        </ul>
      </section>`
    }
  `
}

/** Failed call, or failed page of a job. */
export type Failure = { endpoint: string; id: string; target: string | null; page: string; code: string }

/** Returns the question about a failure, as a person would ask it. */
export function questionOf({ endpoint, target, page, code }: Failure): string {
  const job = `my ${kindName(endpoint)}${target === null ? '' : ` of ${target}`}`
  const what = page === '' ? job : `${page}, a page of ${job},`
  return `Why did ${what} fail${code === '' ? '' : ` with ${code}`}?`
}

/** Input of the failed call with the fix applied; undefined if the original input is not known well enough. */
export function repairedInput({ endpoint, target, page }: Failure, fix: object): object | undefined {
  // The other URLs of a batch are not known here.
  const input = endpoint === 'batch_scrape' && page !== '' ? { urls: [page] } : inputFor({ endpoint, target })
  return input && { ...input, ...fix }
}
