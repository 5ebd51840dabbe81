import { html } from 'htm/preact'
import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import type { Document } from '../../../schema/scrape/document.ts'
import { Awaited, Do, Empty, Outside, count, kindName } from '../parts.ts'
import { useTitle } from '../place.ts'
import { call, useAnswer } from '../server-calls.ts'
import { CopyAs } from './call-texts.ts'
import type { PageRow } from './job-view.ts'
import { Markdown } from './markdown-view.ts'

type Answer = { data: Document }

/** Scraped page: its markdown with the screenshot next to it. */
export function Page({ id, job, place }: { id: string; job?: string; place?: string }): VNode {
  const { value, fault } = useAnswer<Answer>(`/v2/scrape/${id}`)
  useTitle(value?.data.metadata.title || 'Page')
  if (!value) return html`<${Awaited} fault=${fault} />`
  const { markdown, screenshot, metadata } = value.data
  const { url = metadata.sourceURL, statusCode = 0 } = metadata
  return html`
    ${job && html`<${Neighbours} job=${job} place=${place} />`}
    <div class="bar">
      <h2 class="page-title">${metadata.title || 'Untitled'}</h2>
      <${CopyAs} id=${id} />
    </div>
    <p class="facts">
      <${Outside} url=${url} />
      <span class=${statusCode >= 400 ? 'bad-text' : 'faint'}
        >status ${statusCode || 'unknown'}${statusCode >= 400 && ': the site answered with an error page'}</span
      >
      ${markdown !== undefined && html`<span class="faint">${count(markdown.length)} characters</span>`}
    </p>
    <div class="beside">
      <section aria-label="Markdown">
        ${
          markdown === undefined
            ? html`<${Empty} title="No markdown"
                >It was read in other formats: <a href="#/playground/scrape_result">see them all</a>.<//
              >`
            : html`<${Markdown} text=${markdown} />`
        }
      </section>
      <section aria-label="Picture"><${Picture} key=${id} url=${url} first=${screenshot} /></section>
    </div>
  `
}

/** Links from a page of a crawl to the crawl, and to the pages before and after it. */
function Neighbours({ job, place = '' }: { job: string; place?: string }): VNode {
  const [, endpoint = 'crawl', number = '0'] = /^(\w+)-(\d+)$/.exec(place) ?? []
  const at = Number(number)
  const skip = Math.max(0, at - 1)
  const { value } = useAnswer<{ rows: readonly PageRow[] }>(`/dashboard/pages/${job}?skip=${skip}&limit=3`)
  const to = (index: number, label: string) => {
    const row = index < 0 ? undefined : value?.rows[index - skip]
    return row && html`<a href=${`#/pages/${row.scrapeId}/${job}/${endpoint}-${index}`}>${label}</a>`
  }
  return html`<p class="facts">
    <a href=${`#/jobs/${endpoint}/${job}`}>← All pages of this ${kindName(endpoint)}</a>
    ${to(at - 1, 'Previous page')} ${to(at + 1, 'Next page')}
  </p>`
}

function Picture({ url, first }: { url: string; first: string | undefined }): VNode {
  const [picture, setPicture] = useState(first)
  async function take(): Promise<void> {
    const { data } = await call<Answer>('POST', '/v2/scrape', { body: { url, formats: ['screenshot'] } })
    setPicture(data.screenshot)
  }
  if (picture !== undefined) return html`<img class="picture" src=${picture} alt="Picture of the page" />`
  return html`<${Empty} title="No picture was taken">
    <p>A new visit can take one of the current page.</p>
    <${Do} busy="Taking it…" act=${take}>Take a picture<//>
  <//>`
}
