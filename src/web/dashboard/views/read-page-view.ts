import { html } from 'htm/preact'
import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { call, usePolled } from '../server-calls.ts'
import { Empty, Outside, count, kindName, Awaited, Do } from '../parts.ts'
import { useTitle } from '../place.ts'
import { Markdown } from './markdown-view.ts'
import { CopyAs } from './call-texts.ts'

type PageDocument = {
  markdown?: string
  screenshot?: string
  metadata: { title?: string; url?: string; sourceURL?: string; statusCode?: number; creditsUsed?: number }
}
type Answer = { data: PageDocument }

/** Scraped page: its markdown with the screenshot next to it. */
export function Page({ id, job, place }: { id: string; job: string; place: string }): VNode {
  const { value, fault } = usePolled((signal) => call<Answer>('GET', `/v2/scrape/${id}`, { signal }), 0, id)
  useTitle(value?.data.metadata.title || 'Page')
  if (!value) return html`<${Awaited} fault=${fault} />`
  const { markdown, screenshot, metadata } = value.data
  const url = metadata.url ?? metadata.sourceURL ?? ''
  return html`
    ${job && html`<${Neighbours} job=${job} place=${place} />`}
    <div class="bar">
      <h2 class="page-title">${metadata.title || 'Untitled'}</h2>
      <${CopyAs} id=${id} />
    </div>
    <${PageFacts} page=${value.data} url=${url} />
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

function PageFacts({
  page: {
    markdown,
    metadata: { statusCode },
  },
  url,
}: {
  page: PageDocument
  url: string
}): VNode {
  const isRefused = (statusCode ?? 0) >= 400
  return html`<p class="facts">
    <${Outside} url=${url} />
    <span class=${isRefused ? 'bad-text' : 'faint'}
      >status ${statusCode ?? 'unknown'}${isRefused && ': the site answered with an error page'}</span
    >
    ${markdown !== undefined && html`<span class="faint">${count(markdown.length)} characters</span>`}
  </p>`
}

type Around = { rows: readonly { scrapeId: string }[] }

/** Links from a page of a crawl to the crawl, and to the pages before and after it. */
function Neighbours({ job, place }: { job: string; place: string }): VNode {
  const [, endpoint = 'crawl', number = '0'] = /^(\w+)-(\d+)$/.exec(place) ?? []
  const at = Number(number)
  const skip = Math.max(0, at - 1)
  const ask = (signal: AbortSignal) => call<Around>('GET', `/dashboard/pages/${job}?skip=${skip}&limit=3`, { signal })
  const { value } = usePolled(ask, 0, `${job} ${at}`)
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
  return html`<div class="empty">
    <p class="empty-title">No picture was taken</p>
    <p>A new visit can take one, of the page as it is now.</p>
    <${Do} busy="Taking it…" act=${take}>Take a picture<//>
  </div>`
}
