import { html } from 'htm/preact'
import type { VNode } from 'preact'
import { call } from '../../api.ts'
import { Empty, Fault, Loading, Outside } from '../../parts/parts.ts'
import { usePolled } from '../../parts/polled.ts'
import { VirtualList } from '../../parts/virtual-list.ts'
import { count, plural } from '../../parts/words.ts'
import { whyHref } from './links.ts'

type PageError = { id: string; url: string; code: string; error: string }
type Errors = { errors: readonly PageError[]; robotsBlocked: readonly string[]; skipped?: Record<string, number> }

type JobErrorsProps = { endpoint: string; id: string; failed: number }

/** Pages that failed with their reasons, and what the job left out and why. */
export function JobErrors({ endpoint, id, failed }: JobErrorsProps): VNode {
  const ask = (signal: AbortSignal) => call<Errors>('GET', `/v2/crawl/${id}/errors`, { signal })
  const { value, fault } = usePolled(ask, 0, `${id} ${failed}`)
  if (!value) return fault === undefined ? html`<${Loading} />` : html`<${Fault} of=${fault} />`
  const { errors, robotsBlocked, skipped = {} } = value
  const reasons = Object.entries(skipped).filter(([, number]) => number > 0)
  return html`
    ${
      errors.length === 0
        ? html`<${Empty} title="No page failed">Whatever fails is listed here with its reason.<//>`
        : html`<${VirtualList}
            label="Errors"
            count=${errors.length}
            rowHeight=${68}
            row=${(at: number) => line(errors[at], { endpoint, id })}
          />`
    }
    ${
      reasons.length > 0 &&
      html`<section>
        <h2>Left out</h2>
        <p class="faint">Addresses that were found, but are not part of this crawl, by reason.</p>
        <ul class="chips">
          ${reasons.map(([reason, number]) => html`<li>${reasonName(reason)} <b>${count(number)}</b></li>`)}
        </ul>
      </section>`
    }
    ${
      robotsBlocked.length > 0 &&
      html`<details>
        <summary>${plural(robotsBlocked.length, 'address', 'addresses')} forbidden by robots.txt</summary>
        <ul>
          ${robotsBlocked.slice(0, 500).map((url) => html`<li><${Outside} url=${url} /></li>`)}
        </ul>
      </details>`
    }
  `
}

const line = (row: PageError | undefined, job: { endpoint: string; id: string }) =>
  row &&
  html`<div class="error-line">
    <${Outside} url=${row.url} /><span>${row.error}</span
    ><span><code class="faint">${row.code}</code> <a href=${whyHref(job, row.url)}>Why?</a></span>
  </div>`

/** The names in the answer are written as one word. */
const reasonName = (reason: string) =>
  reason === 'robots'
    ? 'robots.txt'
    : reason
        .replace(/([a-z])([A-Z])/g, '$1 $2')
        .replaceAll('_', ' ')
        .toLowerCase()
