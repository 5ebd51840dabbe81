import { html } from 'htm/preact'
import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { call, usePolled } from '../server-calls.ts'
import { CopyAs } from './call-texts.ts'
import { Empty, Fault, Loading, Outside, count } from '../parts.ts'

type PageDocument = {
  markdown?: string
  screenshot?: string
  metadata: { title?: string; url?: string; sourceURL?: string; statusCode?: number; creditsUsed?: number }
}
type Answer = { data: PageDocument }

/** A page as it was read: its markdown, and its picture beside it. */
export function Page({ id }: { id: string }): VNode {
  const { value, fault } = usePolled((signal) => call<Answer>('GET', `/v2/scrape/${id}`, { signal }), 0, id)
  if (!value) return fault === undefined ? html`<${Loading} />` : html`<${Fault} of=${fault} />`
  const { markdown, screenshot, metadata } = value.data
  const url = metadata.url ?? metadata.sourceURL ?? ''
  return html`
    <div class="bar">
      <h2 class="page-title">${metadata.title || 'Untitled'}</h2>
      <${CopyAs} id=${id} />
    </div>
    <p class="facts">
      <${Outside} url=${url} />
      <span class=${(metadata.statusCode ?? 0) >= 400 ? 'bad-text' : 'faint'}
        >status ${metadata.statusCode ?? 'unknown'}</span
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
            : html`<pre class="markdown" tabindex="0">${markdown || '(The page has no text.)'}</pre>`
        }
      </section>
      <section aria-label="Picture"><${Picture} key=${id} url=${url} first=${screenshot} /></section>
    </div>
  `
}

function Picture({ url, first }: { url: string; first: string | undefined }): VNode {
  const [picture, setPicture] = useState(first)
  const [fault, setFault] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  async function take(): Promise<void> {
    setBusy(true)
    setFault(undefined)
    try {
      const { data } = await call<Answer>('POST', '/v2/scrape', { body: { url, formats: ['screenshot'] } })
      setPicture(data.screenshot)
    } catch (failure) {
      setFault(failure)
    }
    setBusy(false)
  }
  if (picture !== undefined) return html`<img class="picture" src=${picture} alt="Picture of the page" />`
  return html`<div class="empty">
    <p class="empty-title">No picture was taken</p>
    <p>A new visit can take one, of the page as it is now.</p>
    <button type="button" disabled=${isBusy} onClick=${take}>${isBusy ? 'Taking it…' : 'Take a picture'}</button>
    <${Fault} of=${fault} />
  </div>`
}
